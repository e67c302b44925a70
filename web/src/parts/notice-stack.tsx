// Notices at the foot of the page, and the two places that screen readers listen to.

import { useEffect, useState } from 'preact/hooks';
import { Link } from '../navigation/link.tsx';
import { dismiss, type Notice, notices } from '../state/notices.ts';
import { useStore } from '../store.ts';
import { Icon } from './icon.tsx';
import { KeyHint } from './key-help.tsx';

const SHOWN_FOR = 10_000; // milliseconds; what can be undone stays undoable

export function NoticeStack() {
  const { shown, said } = useStore(notices, (all) => all);
  return (
    <>
      <div class="unseen" role="status" aria-live="polite">
        {said}
      </div>
      {shown.length > 0 && (
        <section class="notices" aria-label="Notices">
          {shown.map((notice) => (
            <NoticeCard key={notice.id} notice={notice} />
          ))}
        </section>
      )}
    </>
  );
}

function NoticeCard({ notice }: { readonly notice: Notice }) {
  const { id, kind, text, cure, action, link } = notice;
  const [isHeld, setHeld] = useState(false);
  const close = () => dismiss((other) => other.id === id);
  useEffect(() => {
    if (kind === 'fault' || isHeld) return;
    const timer = setTimeout(() => dismiss((other) => other.id === id), SHOWN_FOR);
    return () => clearTimeout(timer);
  }, [id, kind, isHeld]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a notice that is looked at does not go away
    <div
      class={`notice ${kind}`}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocusIn={() => setHeld(true)}
      onFocusOut={() => setHeld(false)}
    >
      <p>
        {text} {cure}
      </p>
      {link !== undefined && (
        <Link to={link.to} class="button">
          {link.label}
        </Link>
      )}
      {action !== undefined && (
        <button type="button" onClick={action.run}>
          {action.label}
          {action.key !== undefined && <KeyHint keyName={action.key} />}
        </button>
      )}
      <button type="button" class="bare" aria-label="Close notice" onClick={close}>
        <Icon name="reject" />
      </button>
    </div>
  );
}
