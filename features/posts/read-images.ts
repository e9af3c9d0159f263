import type { ImageSizes } from '#core/media/images.ts'
import type { MediaService } from '#core/media/media.ts'
import type { AttachedImage } from './contract.ts'

const STANDARD_WIDTH = 1280
export const imageWidths: ImageSizes = {
  widths: [320, 640, 960, STANDARD_WIDTH, 2048],
  standard: STANDARD_WIDTH,
}

export interface ImageRow {
  id: number
  alt: string | null
  name: string
  widths: string
  width: number
  height: number
  placeholder: string
  animated: number
}

export function toImage(
  media: MediaService,
  { id, alt, name, width, height, placeholder, ...row }: ImageRow,
): AttachedImage {
  const widths = row.widths.split(',').map(Number)
  const animated = Boolean(row.animated)
  const standard = Math.min(STANDARD_WIDTH, widths.at(-1)!)
  const path = media.url(name, standard)
  // An animated picture has one animated file, of the standard width, used as `path` and `full`. `srcset`,
  // which lists of posts use, contains only still files.
  const stills = animated ? widths.filter((side) => side !== standard) : widths
  return {
    id,
    path,
    width,
    height,
    alt,
    srcset: stills.map((side) => `${media.url(name, side)} ${side}w`).join(', '),
    full: animated ? path : media.url(name, widths.at(-1)!),
    placeholder,
    animated,
  }
}
