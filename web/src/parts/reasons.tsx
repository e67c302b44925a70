// Why a tag is suggested, loaded from the service.

import { recallReasons } from '../api/recall.ts';
import { Link } from '../navigation/link.tsx';
import { objectPath, tagPath } from '../navigation/route.ts';
import { useLoaded } from '../state/use-loaded.ts';
import { LoadedPart } from './loaded-part.tsx';
import { type Names, ReasonView } from './reason-view.tsx';

interface ReasonsProps {
  readonly object: string;
  readonly tag: string;
}

/** Names lead to their screens. */
const LINKS: Names = {
  tag: (tag) => <Link to={tagPath(tag)}>{tag}</Link>,
  object: (object, title) => <Link to={objectPath(object)}>{title}</Link>,
};

export function Reasons({ object, tag }: ReasonsProps) {
  const loaded = useLoaded(`${object}\u0000${tag}`, () => recallReasons(object, tag));
  return (
    <section class="reasons" aria-label={`Reasons for ${tag}`}>
      <LoadedPart loaded={loaded}>{(reasons) => <ReasonView reasons={reasons} names={LINKS} />}</LoadedPart>
    </section>
  );
}
