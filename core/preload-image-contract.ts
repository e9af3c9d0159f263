import type * as v from 'valibot'

/** A picture that the browser loads before scripts run. `path` is the `src` of its `<img>`. */
export interface PreloadImage {
  path: string
  srcset: string
  sizes: string
  /**
   * Whether the picture is probably visible when the page opens. Then the browser fetches it before the
   * scripts.
   */
  isUrgent: boolean
}

/** The picture to preload; null if the page preloads none; undefined if the next source is asked. */
type FoundPreloadImage = PreloadImage | null | undefined

/** An endpoint of `initialData`, and the function that finds the picture to preload in its response. */
export interface PreloadImageSource {
  from: { readonly output: v.GenericSchema }
  find: (answer: never) => FoundPreloadImage
}
/** Declares a PreloadImageSource. The type of the response follows from the endpoint `from`. */
export const definePreloadImageSource = <Out extends v.GenericSchema>(
  from: { readonly output: Out },
  find: (answer: v.InferOutput<Out>) => FoundPreloadImage,
): PreloadImageSource => ({ from, find })
