import { useState } from 'preact/hooks';
import { deleteSnippet, editSnippet, saveSnippet } from '#web/net/snippets.ts';
import { useServer } from '#web/net/store.ts';
import { openDialog } from '#web/parts/dialog.tsx';
import { useClose } from '#web/parts/dialog-context.ts';
import { Empty } from '#web/parts/empty.tsx';
import { Form } from '#web/parts/form.tsx';
import { IconButton } from '#web/parts/icon.tsx';
import type { Snippet } from '#web/state/wire.ts';
import { t } from '#web/texts/texts.ts';

/** Saved texts: inserts one into the message, or saves the message's text as one. */
export const openSnippets = (written: string, use: (text: string) => void): void =>
  openDialog(t('compose.savedSnippets'), () => <Snippets written={written} use={use} />);

interface Draft {
  id?: number;
  title: string;
  content: string;
}

function Snippets({ written, use }: { written: string; use: (text: string) => void }) {
  const close = useClose();
  const snippets = useServer(({ saved_snippets }) => saved_snippets);
  const [draft, setDraft] = useState<Draft>();
  if (draft) return <SnippetForm draft={draft} close={() => setDraft(undefined)} />;
  return (
    <div class="stack">
      {snippets.length === 0 && (
        <Empty
          icon="text-quote"
          heading="h3"
          title={t('compose.noSnippetsYet')}
          text={t('compose.keepATextThatYou')}
        />
      )}
      <ul class="plain-list">
        {snippets.map((snippet) => (
          <Line
            key={snippet.id}
            snippet={snippet}
            use={() => {
              close();
              use(snippet.content);
            }}
            edit={() => setDraft(snippet)}
          />
        ))}
      </ul>
      <div class="dialog-foot">
        <button
          type="button"
          class="button primary"
          onClick={() => setDraft({ title: '', content: written })}
        >
          {t('compose.newSnippet')}
        </button>
      </div>
    </div>
  );
}

function Line({ snippet, use, edit }: { snippet: Snippet; use: () => void; edit: () => void }) {
  const { id, title, content } = snippet;
  return (
    <li class="snippet">
      <button type="button" class="menu-item" onClick={use}>
        <span>{title}</span>
        <span class="quiet">{content}</span>
      </button>
      <IconButton icon="pencil" label={t('compose.editTitle', { title })} onClick={edit} />
      <IconButton
        icon="trash"
        label={t('compose.deleteTitle', { title })}
        onClick={() => void deleteSnippet(id)}
      />
    </li>
  );
}

function SnippetForm({ draft, close }: { draft: Draft; close: () => void }) {
  const [title, setTitle] = useState(draft.title);
  const [content, setContent] = useState(draft.content);
  return (
    <Form
      label={t('common.save')}
      class="stack"
      cancel={close}
      submit={async () => {
        await (draft.id === undefined
          ? saveSnippet(title.trim(), content)
          : editSnippet(draft.id, title.trim(), content));
        close();
      }}
    >
      <label class="field">
        {t('compose.title')}
        <input
          class="input"
          required
          maxLength={60}
          value={title}
          onInput={(event) => setTitle(event.currentTarget.value)}
        />
      </label>
      <label class="field">
        {t('compose.text')}
        <textarea
          class="input"
          required
          rows={6}
          value={content}
          onInput={(event) => setContent(event.currentTarget.value)}
        />
      </label>
    </Form>
  );
}
