import { sql } from 'kysely'
import type { MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { type ExportRecord, type ExportSection, yieldOnePage, yieldPages } from '#core/feature/exports.ts'
import { paged } from '#core/http/pagination.ts'
import type { PageParams } from '#core/schemas.ts'
import type { Person } from '#features/people/contract.ts'
import * as visibility from '#features/people/visibility.ts'
import * as read from './read.ts'

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
    requests: 'あなたが承認をお願いした相手',
  },
} satisfies Record<Language, object>

/** The visible people whom the viewer has asked for contact, without decisions of guardians, by id. */
async function listOwnRequests(viewer: MemberContext, { after = 0, limit }: PageParams) {
  const visible = visibility.members(viewer).select('id')
  const { rows } = await sql<{ id: number; asked_at: string }>`
    select k.other as id, min(k.asked_at) as asked_at from (
      select case when child_id = ${viewer.me.id} then person_id else child_id end as other, asked_at
      from child_contacts where asked_by = ${viewer.me.id}) k
    where k.other > ${after} and k.other in (${visible})
    group by k.other order by k.other limit ${limit + 1}`.execute(viewer.db)
  const ids = rows.map(({ id }) => id)
  const people = await read.peopleById(viewer, ids)
  return paged(
    rows,
    limit,
    (last) => ({ after: last.id }),
    (shown) => shown.map(({ id, asked_at }) => ({ person: people.get(id)!, asked_at })),
  )
}

export const exportSection: ExportSection = {
  title: { en: 'Guardians', ja: '見守り' },
  count: async () => 1,
  async *documents(viewer, lang) {
    const t = texts[lang]
    yield {
      path: 'guardians',
      title: t.family,
      layout: 'list',
      pages: () =>
        yieldOnePage(async () => {
          const mark = (await read.getMarks(viewer, [viewer.me.id])).get(viewer.me.id)
          const children = await read.listChildren(viewer)
          const toRecord = (heading: string, { name }: Person, ends_on: string): ExportRecord => ({
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
        for await (const requests of yieldPages((page) => listOwnRequests(viewer, page)))
          yield requests.map(
            ({ person, asked_at }): ExportRecord => ({
              data: { name: person.name, asked_at },
              heading: person.name,
              time: asked_at,
            }),
          )
      },
    }
  },
}
