export class Repository {
  constructor(files: ReadonlyMap<string, string>);
  /** The files of this repository. */
  static here(): Repository;
  readonly files: Omit<ReadonlyMap<string, string>, "get"> & { get(path: string): string };
  paths(...endings: readonly string[]): string[];
}

export function brokenComments(repository: Repository, paths: readonly string[]): string[];
export function brokenLinks(repository: Repository, path: string): string[];
export function brokenPictures(repository: Repository): string[];
export function brokenPaths(repository: Repository, path: string): string[];
export function brokenCommands(
  repository: Repository,
  path: string,
  known: { readonly scripts: Readonly<Record<string, string>>; readonly options: readonly string[] },
): string[];

export function withNumbers(
  path: string,
  text: string,
  limits: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): { readonly fresh: string; readonly problems: string[] };

export function platformCalls(sources: readonly string[]): string[];
export function platformModules(sources: readonly string[], own: readonly string[]): string[];
export function unnamed(path: string, text: string, names: readonly string[]): string[];

export function wrongRegisters(
  path: string,
  text: string,
  fields: Readonly<Record<string, { readonly register: number; readonly type: string; readonly length: number }>>,
): string[];
