// The options that every command with a folder as its result shares.

import { Option } from 'commander';

export interface OutputFolder {
  readonly output: string;
  readonly force?: true;
  readonly gzip?: true;
}

export const outputFolderOptions = () => [
  new Option('-o, --output <folder>', 'where to write').makeOptionMandatory(),
  new Option('--force', 'replace the folder if it is already there'),
  new Option('--gzip', 'write .tsv.gz'),
];
