// Options of every command that computes: which backend, on how many threads.

import { Option } from 'commander';
import { BACKEND_NAMES, type BackendName, type EngineOptions } from '../engine/open.ts';
import { parseWhole } from './number-option.ts';

export interface EngineChoice {
  readonly threads?: number;
  readonly backend?: BackendName;
}

export const engineOptions = () => [
  new Option('--threads <n>', 'threads to compute on (default: all cores)').argParser(parseWhole),
  new Option('--backend <name>', 'what computes: the processor, or a GPU (default: cpu)').choices(BACKEND_NAMES),
];

export function engineOf({ threads, backend }: EngineChoice): EngineOptions {
  return { ...(threads === undefined ? {} : { threads }), ...(backend === undefined ? {} : { backend }) };
}
