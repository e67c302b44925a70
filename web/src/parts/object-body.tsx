// What there is to see of an object beside its title: texts, a picture, a link. Words that count for a suggestion are marked.

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Mark } from '../../../src/serving/recommend/marks.ts';
import { whole } from '../numbers.ts';
import { Icon } from './icon.tsx';
import { MarkedWords } from './marked-words.tsx';
import { marksIn, shortAddress, strongest, webAddress } from './readable-text.ts';

interface Shown {
  readonly title: string;
  readonly texts?: Readonly<Record<string, string>> | undefined;
  readonly link?: string | undefined;
  readonly image?: string | undefined;
}

interface ObjectBodyProps {
  readonly of: Shown;
  /** Undefined until they are known. */
  readonly marks: readonly Mark[] | undefined;
  /** The tag that the marked words count for. */
  readonly tag?: string | undefined;
}

// of a text: a few lines need no more, and a browser stays quick with so many
const MOST_CHARACTERS = { folded: 20_000, open: 500_000 };

export function ObjectBody({ of, marks, tag }: ObjectBodyProps) {
  const { title, texts = {}, link, image } = of;
  const picture = webAddress(image);
  const address = webAddress(link);
  const columns = Object.entries(texts);
  if (picture === undefined && address === undefined && columns.length === 0 && marks?.length === 0) return null;
  const most = strongest(marks);
  return (
    <div class={picture === undefined ? 'object-body' : 'object-body with-picture'}>
      {picture !== undefined && <Picture key={picture} address={picture} title={title} />}
      <div class="object-texts">
        {columns.map(([column, text]) => (
          <FoldedText
            key={column}
            name={columns.length > 1 ? column : undefined}
            text={text}
            marks={marksIn(marks, column)}
            most={most}
          />
        ))}
        {address !== undefined && (
          <a class="outside" href={address} target="_blank" rel="noopener noreferrer">
            <span>{shortAddress(address)}</span>
            <Icon name="outside" />
            <span class="unseen"> (opens in a new tab)</span>
          </a>
        )}
        {tag !== undefined && marks?.length !== 0 && (
          // its line is there before the marks are: what is below must not move under the hand
          <p class={marks === undefined ? 'note unknown' : 'note'}>
            <mark class="word strong">Marked words</mark> count for {tag}.
          </p>
        )}
      </div>
    </div>
  );
}

/** In a box that is there before the picture is; one that cannot be loaded leaves the box empty. */
function Picture({ address, title }: { readonly address: string; readonly title: string }) {
  const [isBroken, setBroken] = useState(false);
  return (
    <div class={isBroken ? 'picture broken' : 'picture'}>
      {!isBroken && (
        <img
          src={address}
          alt={title}
          width="128"
          height="128"
          loading="lazy"
          decoding="async"
          referrerpolicy="no-referrer"
          onError={() => setBroken(true)}
        />
      )}
    </div>
  );
}

interface FoldedTextProps {
  /** Of its column, where there are several. */
  readonly name: string | undefined;
  readonly text: string;
  readonly marks: readonly Mark[];
  readonly most: number;
}

/** A few lines, and the rest on demand. */
function FoldedText({ name, text, marks, most }: FoldedTextProps) {
  const box = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [isLong, setLong] = useState(false);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const hasMore = text.length > MOST_CHARACTERS.folded;
    const measure = () => setLong(isOpen || hasMore || element.scrollHeight > element.clientHeight + 1);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [text, isOpen]);
  const shown = beginningOf(text, isOpen ? MOST_CHARACTERS.open : MOST_CHARACTERS.folded);
  return (
    <div class="object-text">
      {name !== undefined && <span class="text-name">{name}</span>}
      <div ref={box} class={isOpen ? 'text-lines' : 'text-lines folded'}>
        <MarkedWords text={shown} marks={marks} most={most} />
        {shown.length < text.length && '…'}
      </div>
      {isOpen && shown.length < text.length && (
        <p class="note">
          The first {whole(shown.length)} of {whole(text.length)} characters.
        </p>
      )}
      {isLong && (
        <button type="button" class="quiet unfold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Show less' : 'Show all'}
          {name !== undefined && <span class="unseen"> of {name}</span>}
        </button>
      )}
    </div>
  );
}

/** Never half a character. */
function beginningOf(text: string, length: number): string {
  return text.length <= length ? text : text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}
