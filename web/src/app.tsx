// The page: the head, the screen that the address names, notices and help.

import { place } from './navigation/history.ts';
import { Link } from './navigation/link.tsx';
import type { Route } from './navigation/route.ts';
import { ObjectScreen } from './object/object-screen.tsx';
import { HelpDialog } from './parts/key-help.tsx';
import { lazyScreen } from './parts/lazy-screen.tsx';
import { NoticeStack } from './parts/notice-stack.tsx';
import { Screen } from './parts/screen.tsx';
import { TopBar } from './parts/top-bar.tsx';
import { QueueScreen } from './queue/queue-screen.tsx';
import { ReviewsScreen } from './reviews/reviews-screen.tsx';
import { undoLast } from './state/decisions.ts';
import { useKeys } from './state/keys.ts';
import { identity } from './state/me.ts';
import { say } from './state/notices.ts';
import { useStore } from './store.ts';
import { TagScreen } from './tag/tag-screen.tsx';

// on demand: the first screen should be there soon
const MapScreen = lazyScreen('Map', async () => (await import('./map/map-screen.tsx')).MapScreen);
const SuggestScreen = lazyScreen('Suggest', async () => (await import('./suggest/suggest-screen.tsx')).SuggestScreen);
const VocabularyScreen = lazyScreen(
  'Vocabulary',
  async () => (await import('./vocabulary/vocabulary-screen.tsx')).VocabularyScreen,
);
const AboutScreen = lazyScreen('About', async () => (await import('./about/about-screen.tsx')).AboutScreen);
const PeopleScreen = lazyScreen('People', async () => (await import('./people/people-screen.tsx')).PeopleScreen);
const LogScreen = lazyScreen('Log', async () => (await import('./people/log-screen.tsx')).LogScreen);
const SignInScreen = lazyScreen('Sign in', async () => (await import('./people/sign-in-screen.tsx')).SignInScreen);

/** Fetches the code of all screens, so that they open at once and do not depend on the service's being the same later. */
export function prepareScreens(): void {
  for (const screen of [MapScreen, SuggestScreen, VocabularyScreen, AboutScreen, PeopleScreen, LogScreen])
    screen.prepare();
}

export function App() {
  const { route } = useStore(place, (now) => now);
  const now = useStore(identity, (who) => who);
  if (now.state === 'refused') return <SignInScreen why={now.why} />;
  return (
    <>
      <TopBar screen={route.screen} />
      <ScreenOf route={route} />
      <NoticeStack />
      <HelpDialog />
      {route.screen !== 'queue' && <UndoKeys />}
    </>
  );
}

/** The queue has its own, which move the focus, too. */
function UndoKeys() {
  const undo = () => {
    if (undoLast() === undefined) say('Nothing to undo.');
  };
  useKeys({ u: undo, z: undo });
  return null;
}

function ScreenOf({ route }: { readonly route: Route }) {
  switch (route.screen) {
    case 'queue':
      return <QueueScreen {...route} />;
    case 'object':
      return <ObjectScreen key={route.id} id={route.id} />;
    case 'tag':
      return <TagScreen key={route.tag} tag={route.tag} />;
    case 'map':
      return <MapScreen of={route.of} />;
    case 'reviews':
      return <ReviewsScreen {...route} />;
    case 'vocabulary':
      return <VocabularyScreen {...route} />;
    case 'suggest':
      return <SuggestScreen />;
    case 'about':
      return <AboutScreen />;
    case 'people':
      return <PeopleScreen />;
    case 'log':
      return <LogScreen {...route} />;
    case 'unknown':
      return (
        <Screen title="Nothing here" heading="Nothing here">
          <p>
            There is no screen at <code>{route.path}</code>. <Link to="/">Go to the queue</Link>
          </p>
        </Screen>
      );
    default:
      return route satisfies never;
  }
}
