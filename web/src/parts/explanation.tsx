// Why a tag is suggested, loaded from the service.

import { recallExplanation } from '../api/recall.ts';
import { Link } from '../navigation/link.tsx';
import { objectPath, tagPath } from '../navigation/route.ts';
import { useLoaded } from '../state/use-loaded.ts';
import { ExplanationView, type Names } from './explanation-view.tsx';
import { LoadedPart } from './loaded-part.tsx';

interface ExplanationProps {
  readonly object: string;
  readonly tag: string;
}

/** Names lead to their screens. */
const LINKS: Names = {
  tag: (tag) => <Link to={tagPath(tag)}>{tag}</Link>,
  object: (object, title) => <Link to={objectPath(object)}>{title}</Link>,
};

export function Explanation({ object, tag }: ExplanationProps) {
  const loaded = useLoaded(`${object}\u0000${tag}`, () => recallExplanation(object, tag));
  return (
    <section class="explanation" aria-label={`Why ${tag}`}>
      <LoadedPart loaded={loaded}>
        {(explanation) => <ExplanationView explanation={explanation} names={LINKS} />}
      </LoadedPart>
    </section>
  );
}
