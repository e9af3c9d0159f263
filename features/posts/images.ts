import type { Shape } from '#core/media/images.ts'
import type { Media } from '#core/media/lifecycle.ts'
import type { Image } from './contract.ts'

const STANDARD_WIDTH = 1280
export const imageShape: Shape = { wide: [320, 640, 960, STANDARD_WIDTH, 2048], standard: STANDARD_WIDTH }

/** An image with its picture; `owner` is what shows it: a post, a message. */
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

function toImage(
  media: Media,
  { id, alt, name, widths, width, height, placeholder, animated }: ImageRow,
): Image {
  const sides = widths.split(',').map(Number)
  const standard = Math.min(STANDARD_WIDTH, sides.at(-1)!)
  const path = media.url(name, standard)
  // The standard file of an animation moves; in a list it stands still, and looked at closely it moves.
  const stills = animated ? sides.filter((side) => side !== standard) : sides
  return {
    id,
    path,
    width,
    height,
    alt,
    srcset: stills.map((side) => `${media.url(name, side)} ${side}w`).join(', '),
    full: animated ? path : media.url(name, sides.at(-1)!),
    placeholder,
    animated: Boolean(animated),
  }
}
