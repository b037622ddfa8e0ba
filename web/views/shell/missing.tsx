import { Empty } from '#web/parts/empty.tsx';
import { t } from '#web/texts/texts.ts';
import { Head } from './head.tsx';

/** The page of an address that leads to nothing. */
export function Missing({ title, text }: { title: string; text: string }) {
  return (
    <main class="main">
      <Head title={title} />
      <Empty title={text}>
        <a class="button" href="#inbox">
          {t('shell.goToTheInbox')}
        </a>
      </Empty>
    </main>
  );
}
