import { type AppContext, withoutRoles } from '#core/context.ts'
import { memberIndex } from '#demo/members.ts'
import type { DemoPictureFilesOfOwner, StoredPictures } from '#demo/store-pictures.ts'
import { attach } from '#features/albums/add.ts'
import * as albums from '#features/albums/model.ts'
import { imageWidths } from '#features/posts/read-images.ts'

interface DemoAlbum {
  title: string
  text: string | null
  /** The name of a group; null: all members. */
  group: string | null
  by: string
  pictures: readonly { by: string; scene: string; hoursAgo: number }[]
}

/** The first picture has the time `hoursAgo`, and each later one is half an hour younger. */
const taken = (hoursAgo: number, by: string, ...scenes: string[]) =>
  scenes.map((scene, at) => ({ by, scene, hoursAgo: hoursAgo - at / 2 }))

const demoAlbums: readonly DemoAlbum[] = [
  {
    title: '灯り祭り 2025',
    text: '去年の祭りの画像を、みんなで集めています。お手元の画像もぜひ。',
    group: null,
    by: 'akari',
    pictures: [
      ...taken(9010, 'akari', 'lanterns-0', 'lanterns-4', 'market-0'),
      ...taken(9006, 'ben', 'market-4', 'bread-5', 'kites-0'),
      ...taken(9004, 'chiharu', 'fireworks-0', 'fireworks-4', 'fireworks-8'),
      ...taken(9002, 'emi', 'lanterns-32', 'river-0', 'steps-1', 'roofs-0'),
    ],
  },
  {
    title: 'From clay to bowl',
    text: null,
    group: '陶芸クラブ',
    by: 'ben',
    pictures: [
      ...taken(900, 'ben', 'workbench-0', 'tools-0', 'bowls-0'),
      ...taken(300, 'ben', 'kiln-0', 'bowls-5', 'bowls-44'),
    ],
  },
]

const withFiles = demoAlbums.map((album) => ({
  album,
  owner: album,
  files: album.pictures.map(({ scene }) => `${scene}.webp`),
  sizes: imageWidths,
}))

export const albumUploads = (): DemoPictureFilesOfOwner[] => withFiles

export async function seedDemoAlbums(context: AppContext, ids: readonly number[], stored: StoredPictures) {
  const as = (who: string) => withoutRoles(context, ids[memberIndex(who)]!)
  const names = await context.db.selectFrom('conversations').select(['id', 'name']).execute()
  for (const { album, files } of withFiles) {
    const { title, text, group, by } = album
    const group_id = names.find(({ name }) => name === group && group !== null)?.id ?? null
    const id = await albums.create(as(by), { title, text, group_id })
    const pictures = stored.get(album) ?? []
    for (const [at, picture] of pictures.entries()) {
      const { by: adder, hoursAgo } = album.pictures[at]!
      const taken_at = new Date(Date.now() - hoursAgo * 3600_000).toISOString()
      const hash = files[at]!.padEnd(64, '0')
      await attach(as(adder), id, { picture, hash, file_name: files[at]!, taken_at })
    }
  }
}
