import type { Language } from '#core/contract.ts'
import { MAX_READ, type NewsEntry, personAvatar, type ReadNews } from '#core/feature/news.ts'
import { dot } from '#core/text/dot.ts'
import type { Album } from './contract.ts'
import { list } from './read.ts'

const labels: Record<Language, string> = { en: 'Album', ja: 'アルバム' }

/** New ones of others. */
export const readNews: ReadNews = async (viewer, { since }) => {
  const { body } = await list(viewer, { limit: MAX_READ })
  const found = body.filter(
    ({ created_at, created_by }) => created_at > since && created_by?.id !== viewer.me.id,
  )
  const parts = Object.groupBy(found, ({ group }) => (group ? 'groups' : 'rest'))
  const toList = (albums: readonly Album[] = []) => ({
    path: '/albums',
    entries: albums.map((album) => toEntry(album, viewer.lang)),
  })
  return { groups: toList(parts.groups), rest: toList(parts.rest) }
}

const toEntry = ({ id, title, created_by: by, created_at }: Album, lang: Language): NewsEntry => ({
  key: `album ${id}`,
  path: `/albums/${id}`,
  avatar: by && personAvatar(by),
  title: `${labels[lang]}${dot[lang]}${title}`,
  text: by?.name ?? null,
  at: created_at,
})
