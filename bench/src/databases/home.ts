/** Where one product keeps its data. */
export interface Place {
  /** Holds the data folder, the output of the product and whatever else belongs to it. */
  folder: string;
  /** Absent: SQLite, in the data folder. */
  databaseUrl?: string;
}

export type EngineName = 'SQLite' | 'PostgreSQL';

/** Makes places for the product, copies them and removes them. Names are words of small letters, digits and `_`. */
export interface Home extends AsyncDisposable {
  readonly engine: EngineName;
  /** The place of that name, whether there is anything or not. */
  place(name: string): Place;
  /** An empty place; whatever was there before is gone. */
  create(name: string): Promise<Place>;
  copy(from: string, to: string): Promise<Place>;
  /** Leaves the place there when the home is left; without this it is removed then. */
  keep(name: string): void;
}
