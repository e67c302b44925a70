// Moving between screens by the browser's own history, so that back, forward and links work as everywhere.

import { Store } from '../store.ts';
import { type Route, routeOf } from './route.ts';

export interface Place {
  readonly route: Route;
  /** Whether a screen was moved to by a link, so that the focus should follow. */
  readonly isFollowed: boolean;
}

export const place = new Store<Place>({ route: routeOf(location.pathname, location.search), isFollowed: false });

export function startHistory(): void {
  addEventListener('popstate', () => place.set({ route: here(), isFollowed: true }));
}

export function goTo(path: string): void {
  history.pushState(null, '', path);
  place.set({ route: here(), isFollowed: true });
  scrollTo(0, 0);
}

/** The same screen with other filters: nothing to go back to, nothing to move the focus for. */
export function replaceWith(path: string): void {
  history.replaceState(null, '', path);
  place.set({ route: here(), isFollowed: false });
}

function here(): Route {
  return routeOf(location.pathname, location.search);
}
