import { Empty } from '#web/parts/empty.tsx';
import { Head } from './head.tsx';

/** The page of an address that leads to nothing. */
export function Missing({ title, text }: { title: string; text: string }) {
  return (
    <main class="main">
      <Head title={title} />
      <Empty title={text}>
        <a class="button" href="#inbox">
          Go to the inbox
        </a>
      </Empty>
    </main>
  );
}
