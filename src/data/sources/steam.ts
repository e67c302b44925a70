// Steam: the games and community tags of the UCSD data, joined with who plays them from a file of the person's choice.
// Only games with at least one tag and at least one interaction are kept.

import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Listener } from '../../listener.ts';
import { GraphBuilder, type KnowledgeGraph } from '../knowledge-graph.ts';
import { requirePairs } from '../pairs-check.ts';
import { requireFile } from './release-files.ts';
import { type Game, readGames } from './steam-games.ts';
import { readPlays, renamed } from './steam-plays.ts';

export interface SteamOptions extends Listener {
  /** Who played what: a table, or one of UCSD's user files. */
  readonly interactions: string;
  /** A table of game id and title, where the ids of `interactions` are not Steam's: games are then joined by title. */
  readonly names?: string;
  /** Leaves out games a user played for fewer minutes; 0 unless told. */
  readonly minMinutes?: number;
}

const GAMES = { called: 'steam_games.json', pattern: /^steam_games\.json$/ };

/** `path` is steam_games.json, plain or gzipped, or the folder that holds it. */
export async function readSteam(path: string, options: SteamOptions): Promise<KnowledgeGraph> {
  const isFolder = (await stat(path).catch(() => undefined))?.isDirectory() ?? false;
  const gamesPath = isFolder ? await requireFile(path, GAMES) : path;
  const known = await readGames(gamesPath, options);
  const games = options.names === undefined ? known : await renamed(options.names, known, options);

  const builder = new GraphBuilder();
  const played = new Map<Game, number>(); // arrival id
  let numUnknown = 0;
  await readPlays(options.interactions, games, options, (user, game) => {
    if (game === undefined) {
      numUnknown++;
      return;
    }
    const object = played.get(game) ?? builder.objects.add(game.id);
    played.set(game, object);
    builder.interact.add(builder.users.add(user), object);
  });
  if (numUnknown > 0) {
    const rows = numUnknown === 1 ? '1 interaction whose game is' : `${numUnknown} interactions whose games are`;
    options.warn?.(`${basename(options.interactions)}: left out ${rows} not in ${basename(gamesPath)} with a tag.`);
  }
  for (const [game, object] of played) {
    builder.setTitle(object, game.title);
    for (const tag of game.tags) builder.tagged.add(object, builder.tags.add(tag));
  }

  const cure = `Check that its games are those of ${basename(gamesPath)}; for other ids, give their titles with --names.`;
  requirePairs(builder, { file: options.interactions, cure }, { file: gamesPath, cure });
  return builder.finish();
}
