import { sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import type { Language, PaginationParameters } from '#core/contract.ts'
import {
  type DataExportRecord,
  type DataExportSection,
  yieldAllKeysetPages,
  yieldQueryResultAsSinglePage,
} from '#core/exports.ts'
import { toPagedResponse } from '#core/http/pagination.ts'
import type { Person } from '#features/people/contract.ts'
import { buildVisibleMembersQuery } from '#features/people/visibility.ts'
import {
  listChildrenOfGuardian,
  readChildAccountMarksByAccountId,
  readUnfilteredPeopleMapById,
} from './read.ts'

const texts = {
  en: {
    family: 'Your guardians and your children',
    guardian: 'Your guardian',
    child: 'Your child',
    until: (day: string) => `Until ${day}`,
    requests: 'Contacts that you asked for',
  },
  ja: {
    family: 'あなたの保護者と、見守っているお子さま',
    guardian: 'あなたの保護者',
    child: '見守っているお子さま',
    until: (day: string) => `${day}まで`,
    requests: 'あなたがお願いした連絡先',
  },
} satisfies Record<Language, object>

/**
 * Returns one page of the visible people with whom the viewer has asked for contact, without the decisions of
 * guardians, ordered by id.
 */
async function listOwnRequests(viewer: MemberContext, { after = 0, limit }: PaginationParameters) {
  const visible = buildVisibleMembersQuery(viewer).select('id')
  const { rows } = await sql<{ id: number; asked_at: string }>`
    select k.other as id, min(k.asked_at) as asked_at from (
      select case when child_id = ${viewer.me.id} then person_id else child_id end as other, asked_at
      from child_contacts where asked_by = ${viewer.me.id}) k
    where k.other > ${after} and k.other in (${visible})
    group by k.other order by k.other limit ${limit + 1}`.execute(viewer.db)
  const ids = rows.map(({ id }) => id)
  const people = await readUnfilteredPeopleMapById(viewer, ids)
  return toPagedResponse(
    rows,
    limit,
    (last) => ({ after: last.id }),
    (shown) => shown.map(({ id, asked_at }) => ({ person: people.get(id)!, asked_at })),
  )
}

/**
 * The section of the data export with the member's guardians and children, and the contacts that the member
 * has asked for.
 */
export const guardiansExportSection: DataExportSection = {
  title: { en: 'Guardians', ja: '見守り' },
  count: async () => 1,
  async *documents(viewer, lang) {
    const t = texts[lang]
    yield {
      path: 'guardians',
      title: t.family,
      layout: 'list',
      pages: () =>
        yieldQueryResultAsSinglePage(async () => {
          const mark = (await readChildAccountMarksByAccountId(viewer, [viewer.me.id])).get(viewer.me.id)
          const children = await listChildrenOfGuardian(viewer)
          const toRecord = (heading: string, { name }: Person, ends_on: string): DataExportRecord => ({
            data: { name, ends_on },
            heading: `${heading}: ${name}`,
            text: t.until(ends_on),
          })
          return [
            ...(mark?.guardians ?? []).map((person) => toRecord(t.guardian, person, mark!.ends_on)),
            ...children.map((child) => toRecord(t.child, child, child.ends_on)),
          ]
        }),
    }
    yield {
      path: 'guardian-requests',
      title: t.requests,
      layout: 'list',
      async *pages() {
        for await (const requests of yieldAllKeysetPages((page) => listOwnRequests(viewer, page)))
          yield requests.map(
            ({ person, asked_at }): DataExportRecord => ({
              data: { name: person.name, asked_at },
              heading: person.name,
              time: asked_at,
            }),
          )
      },
    }
  },
}
