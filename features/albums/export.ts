import type { MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { pageOf } from '#core/database/keyset.ts'
import { type ExportRecord, type ExportSection, yieldPages } from '#core/feature/exports.ts'
import { paged } from '#core/http/pagination.ts'
import * as storedNames from '#core/media/stored-names.ts'
import type { PageParams } from '#core/schemas.ts'
import { findStoredWidth } from './stored.ts'

const texts = {
  en: { made: 'Albums that you made', added: 'Pictures that you added to albums' },
  ja: { made: '作ったアルバム', added: 'アルバムに追加した画像' },
} satisfies Record<Language, object>

async function listMade({ db, me }: MemberContext, page: PageParams) {
  const found = db
    .selectFrom('albums as a')
    .select(['a.id', 'a.title', 'a.text', 'a.created_at'])
    .where('a.created_by', '=', me.id)
  const rows = await pageOf(found, 'a.id', page).execute()
  return paged(
    rows,
    page.limit,
    (last) => ({ after: last.id }),
    (shown) => shown,
  )
}

async function listAdded({ db, me }: MemberContext, page: PageParams) {
  const found = db
    .selectFrom('album_pictures as p')
    .innerJoin('albums as a', 'a.id', 'p.album_id')
    .innerJoin('media as m', 'm.name', 'p.media')
    .select([
      'p.id',
      'p.file_name',
      'p.taken_at',
      'p.created_at',
      'a.title',
      'm.name',
      'm.widths',
      'm.animated',
    ])
    .where('p.user_id', '=', me.id)
  const rows = await pageOf(found, 'p.id', page).execute()
  return paged(
    rows,
    page.limit,
    (last) => ({ after: last.id }),
    (shown) => shown,
  )
}
type Added = Awaited<ReturnType<typeof listAdded>>['body'][number]

const toAdded = ({ title, file_name, taken_at, created_at, name, ...row }: Added): ExportRecord => ({
  data: { album: title, file_name, taken_at, created_at },
  heading: title,
  time: taken_at,
  pictures: [{ file: storedNames.ofPicture(name, findStoredWidth(row)), alt: null }],
})

async function countOf({ db, me }: MemberContext) {
  const { count } = await db
    .selectFrom('album_pictures')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('user_id', '=', me.id)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export const exportSection: ExportSection = {
  title: { en: 'Albums', ja: 'アルバム' },
  count: countOf,
  async *documents(viewer, lang) {
    const layout = 'list'
    yield {
      path: 'albums',
      title: texts[lang].made,
      layout,
      async *pages() {
        for await (const rows of yieldPages((page) => listMade(viewer, page)))
          yield rows.map(
            ({ id: _, ...data }): ExportRecord => ({
              data,
              heading: data.title,
              time: data.created_at,
              text: data.text,
            }),
          )
      },
    }
    yield {
      path: 'album-pictures',
      title: texts[lang].added,
      layout,
      async *pages() {
        for await (const rows of yieldPages((page) => listAdded(viewer, page))) yield rows.map(toAdded)
      },
    }
  },
}
