import { sql } from 'kysely'
import type { AppContext } from '#core/context.ts'
import { idIn } from '#core/database/database.ts'
import type { ImageSizes } from '#core/media/images.ts'
import type { MediaService } from '#core/media/media.ts'
import type { AttachedImage } from './contract.ts'

const STANDARD_WIDTH = 1280
export const imageWidths: ImageSizes = {
  widths: [320, 640, 960, STANDARD_WIDTH, 2048],
  standard: STANDARD_WIDTH,
}

interface ImageRow {
  /** The id of the post, reply or message. */
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

/**
 * By the id of the post, reply or message, in the order of upload. `table` has the columns id, position,
 * media, alt, and `column` with the id of the post, reply or message.
 */
export async function readImages(
  { db, media }: Pick<AppContext, 'db' | 'media'>,
  table: string,
  column: string,
  owners: readonly number[],
) {
  const images = new Map<number, AttachedImage[]>()
  if (!owners.length) return images
  const owner = sql.ref(`i.${column}`)
  const { rows } = await sql<ImageRow>`
    select ${owner} as owner, i.id, i.alt, m.name, m.widths, m.width, m.height, m.placeholder, m.animated
    from ${sql.table(table)} i join media m on m.name = i.media
    where ${idIn(db, `i.${column}`, owners)} and m.file_name is null order by ${owner}, i.position`.execute(
    db,
  )
  for (const row of rows) {
    const others = images.get(row.owner)
    if (others) others.push(toImage(media, row))
    else images.set(row.owner, [toImage(media, row)])
  }
  return images
}

function toImage(
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
