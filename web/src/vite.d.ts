/// <reference types="vite/client" />

declare module 'virtual:icons' {
  /** Address of the sprite that is made of the icons in `ui/icons/names.ts`. */
  const address: string;
  export default address;
}
