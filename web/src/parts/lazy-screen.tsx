// A screen whose code comes when it is opened, or once the browser has nothing else to do. Until then it says that it loads;
// where it does not come, it says so and can be asked for again.

import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import { ApiProblem } from '../api/problem.ts';
import { useLoaded } from '../state/use-loaded.ts';
import { LoadedPart } from './loaded-part.tsx';
import { Screen } from './screen.tsx';

export interface LazyScreen<Props> {
  (props: Props): ReturnType<typeof Screen>;
  /** Loads the code without showing it; says nothing where that fails. */
  prepare(): void;
}

/** `title`: of the screen, while it loads. */
export function lazyScreen<Props extends object>(
  title: string,
  load: () => Promise<ComponentType<Props>>,
): LazyScreen<Props> {
  let known: ComponentType<Props> | undefined;
  const get = async () => {
    known ??= await load();
    return known;
  };
  const Lazy = (props: Props) => {
    const [Known] = useState(() => known); // a change in between would lose what the screen knows
    return Known === undefined ? <Loading title={title} load={get} props={props} /> : <Known {...props} />;
  };
  return Object.assign(Lazy, { prepare: () => void get().catch(() => {}) });
}

interface LoadingProps<Props> {
  readonly title: string;
  readonly props: Props;
  load(): Promise<ComponentType<Props>>;
}

function Loading<Props extends object>({ title, props, load }: LoadingProps<Props>) {
  const loaded = useLoaded(title, () => load().catch(refuse));
  if (loaded.state === 'there') return <loaded.value {...props} />;
  return (
    <Screen title={title} heading={title}>
      <LoadedPart loaded={loaded}>{() => null}</LoadedPart>
    </Screen>
  );
}

/** A newer version of the service has other files: then only loading the page again helps. */
function refuse(): never {
  throw new ApiProblem({
    status: 0,
    detail: 'A part of the page could not be loaded.',
    cure: 'Check that the service still runs, then try again or load the page again.',
  });
}
