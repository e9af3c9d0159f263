import { sql } from 'kysely'
import type { Language } from '#core/contract.ts'
import { personAvatar, type ReadNews } from '#core/feature/news.ts'
import { honorific } from '#core/text/honorific.ts'
import { shorten } from '#core/text/shorten.ts'
import * as people from './read.ts'
import * as visibility from './visibility.ts'

/** Of a title. */
const MAX_NAMED = 3
const inTitle = (name: string) => shorten(name, 40)

const titles: Record<Language, (names: readonly string[], others: number) => string> = {
  en: (names, others) => {
    if (others) return `${names.join(', ')} and ${others === 1 ? '1 other' : `${others} others`} joined`
    return `${[names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' and ')} joined`
  },
  ja: (names, others) => `${names.join('、')}${others ? `ほか${others}人` : ''}が参加しました`,
}

/** Those who joined are one entry, and no reason for a mail. */
export const readNews: ReadNews = async (viewer, { since, by_mail }) => {
  if (by_mail) return {}
  const older = await visibility
    .members(viewer)
    .select('id')
    .where('created_at', '<=', since)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const rows = await visibility
    .reaching(viewer)
    .select(['id', 'name', 'image', 'shared_handle', 'created_at'])
    .select(sql<number>`count(*) over ()`.as('total'))
    .where('id', '>', older?.id ?? 0)
    .where('id', '!=', viewer.me.id)
    .where(visibility.notSuspended('users.id'))
    .orderBy('id', 'desc')
    .limit(MAX_NAMED)
    .execute()
  const [newest] = rows
  if (!newest) return {}
  const named = rows.map(({ name }) => inTitle(name))
  const names = viewer.lang === 'ja' ? named.map((name, at) => name + honorific(rows[at]!.name)) : named
  const person = people.fromRow(viewer.media, newest)
  const total = Number(newest.total)
  return {
    rest: {
      path: '/follow',
      entries: [
        {
          key: 'new members',
          path: total === 1 ? `/people/${person.id}` : '/follow',
          avatar: personAvatar(person),
          title: titles[viewer.lang](names, total - names.length),
          text: null,
          at: newest.created_at,
        },
      ],
    },
  }
}
