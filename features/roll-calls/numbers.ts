import { sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { escapeHtml } from '#core/text/i18n.ts'
import * as chats from '#features/conversations/read.ts'
import { notExample } from '#features/people/examples.ts'
import * as people from '#features/people/read.ts'
import * as visibility from '#features/people/visibility.ts'
import * as managers from './managers.ts'
import { plainPage } from './plain-page.ts'

const texts = {
  en: {
    title: (app: string) => `${app}: members and telephone numbers`,
    about: (day: string) => `As of ${day}. Print this beforehand: it helps when nothing else works.`,
    private: 'Please keep it where only those in charge find it.',
    head: ['Name', 'Reading', 'Telephone'],
    more: (count: number) => `Only the first ${count} members.`,
  },
  ja: {
    title: (app: string) => `${app} 電話番号の一覧`,
    about: (day: string) => `${day}現在。通信できないときのために、前もって印刷しておいてください。`,
    private: '係の人だけが見られる場所に保管してください。',
    head: ['名前', 'ふりがな', '電話番号'],
    more: (count: number) => `最初の${count}人までを載せています。`,
  },
} satisfies Record<Language, object>

/** Members on one print. */
const MAX_PRINTED = 5000

/** In the order of readings and names. Owners of groups miss people whom they may not see. */
export async function numbers(viewer: MemberContext, group: number | null, lang: Language) {
  await managers.requireMayAsk(viewer, group)
  const t = texts[lang]
  const rows = await listNumbers(viewer, group)
  const title = t.title(viewer.publicSite.name)
  const cells = rows.map(
    ({ name, reading, number }) =>
      `<tr><td>${escapeHtml(name)}<td>${escapeHtml(reading ?? '')}<td>${escapeHtml(number ?? '')}`,
  )
  const body = `<h1>${escapeHtml(title)}</h1><p>${t.about(new Date().toISOString().slice(0, 10))} ${t.private}
${rows.length === MAX_PRINTED ? t.more(MAX_PRINTED) : ''}</p>
<table><thead><tr>${t.head.map((head) => `<th scope="col">${head}`).join('')}</thead>
<tbody>${cells.join('')}</tbody></table>`
  return plainPage({ lang, title, body })
}

function listNumbers(viewer: MemberContext, group: number | null) {
  const found = viewer.me.is_admin ? people.unfiltered(viewer) : people.authors(viewer)
  return found
    .leftJoin('phones as p', (join) =>
      join.onRef('p.user_id', '=', 'users.id').on('p.shown_to', '!=', 'nobody'),
    )
    .select(['users.reading', 'p.number'])
    .where('users.former_since', 'is', null)
    .where(visibility.notSuspended('users.id'))
    .where(notExample('users.id'))
    .$if(group !== null, (query) => query.where(sql<boolean>`users.id in (${chats.memberIdsQuery(group!)})`))
    .orderBy(sql`coalesce(users.reading, users.name)`)
    .orderBy('users.id')
    .limit(MAX_PRINTED)
    .execute()
}
