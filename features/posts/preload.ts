import type { PreloadImage } from '#core/media/preload.ts'
import { type AttachedImage, imageSizes } from './contract.ts'

/** Null if there are no pictures. `availableWidth` is as in `imageSizes`. */
export function preloadPicture(
  images: readonly AttachedImage[],
  { availableWidth, isUrgent }: { availableWidth?: number; isUrgent: boolean },
): PreloadImage | null {
  const [image] = images
  if (!image) return null
  const sizes = imageSizes(image, 0, images.length, availableWidth)
  return { path: image.path, srcset: image.srcset, sizes, isUrgent }
}
