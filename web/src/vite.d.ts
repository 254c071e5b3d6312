/// <reference types="vite/client" />

declare module 'virtual:docs' {
  interface DocSection {
    readonly id: string;
    readonly level: number;
    readonly title: string;
    readonly html: string;
  }
  /** The pages of `docs/`, each loaded when it is looked at. */
  export const docs: readonly {
    readonly name: string;
    readonly title: string;
    load(): Promise<{ readonly sections: readonly DocSection[] }>;
  }[];
}

declare module 'virtual:docs-text' {
  /** For each section of each page: the page, its anchor, its heading, its words. */
  export const texts: readonly (readonly [string, string, string, string])[];
}

declare module 'virtual:licences' {
  /** The libraries in the product: name, version, licence. */
  export const libraries: readonly (readonly [string, string, string])[];
}

declare module 'virtual:licence-texts' {
  export const paragraphs: readonly string[];
  /** For each library, in the order of their list, the places of its paragraphs. */
  export const texts: readonly (readonly number[])[];
}

declare module 'virtual:icons' {
  /** Address of the sprite that is made of the icons in `ui/icons/names.ts`. */
  const address: string;
  export default address;
}
