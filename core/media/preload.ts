import type { Answer, Endpoint } from '#core/contract.ts'

/** A picture that the browser loads while the page is drawn first. `path` is the `src` of its `<img>`. */
export interface PreloadImage {
  path: string
  srcset: string
  sizes: string
  /** Whether the picture is probably visible when the page opens. */
  isUrgent: boolean
}

/** The picture to preload; null if the page preloads none; undefined if the next source is asked. */
type FoundPreloadImage = PreloadImage | null | undefined

/** An endpoint of `initialData`, and the function that finds the picture to preload in its response. */
export interface ImageSource {
  from: Endpoint
  find: (answer: never) => FoundPreloadImage
}
export const definePreloadImage = <E extends Endpoint>(
  from: E,
  find: (answer: Answer<E>) => FoundPreloadImage,
): ImageSource => ({ from, find })
