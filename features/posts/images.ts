import type { ImageSizes } from '#core/media/images.ts'
import type { Media } from '#core/media/media.ts'
import type { Image } from './contract.ts'

const STANDARD_WIDTH = 1280
export const postImageSizes: ImageSizes = {
  widths: [320, 640, 960, STANDARD_WIDTH, 2048],
  standard: STANDARD_WIDTH,
}

/** An image joined with its row of `media`. `owner` is the id of the post or message that shows it. */
interface ImageRow {
  owner: number
  id: number
  alt: string | null
  name: string
  widths: string
  width: number
  height: number
  placeholder: string
  animated: number
}

/** The images of each owner, in the order of the rows. */
export function byOwner(media: Media, rows: readonly ImageRow[]) {
  const images = new Map<number, Image[]>()
  for (const row of rows) images.set(row.owner, [...(images.get(row.owner) ?? []), toImage(media, row)])
  return images
}

function toImage(media: Media, { id, alt, name, width, height, placeholder, ...row }: ImageRow): Image {
  const widths = row.widths.split(',').map(Number)
  const animated = Boolean(row.animated)
  const standard = Math.min(STANDARD_WIDTH, widths.at(-1)!)
  const path = media.url(name, standard)
  // Of an animation only the standard file moves. `srcset` (lists) has the still files, `full` is the moving one.
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
