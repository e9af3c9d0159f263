import type { MemberContext } from '#core/context.ts'
import { idIn, type Tx } from '#core/database/database.ts'
import { fieldError } from '#core/http/errors.ts'
import * as owners from '#features/groups/owners.ts'
import * as renewal from '#features/groups/renewal.ts'
import { allMemberIds } from '#features/people/deletion.ts'
import type { Line } from './contract.ts'

/** What one line does. `name` is null if the group only ends. */
export interface Step {
  group: { id: number; name: string }
  name: string | null
  staying: number[]
  leaving: number[]
  joining: number[]
  owner: number | null
}

/** Locks the groups until the commit. 422 names the field of the first line that is wrong. */
export async function steps({ settings }: MemberContext, tx: Tx, lines: readonly Line[]): Promise<Step[]> {
  if (!lines.length) throw fieldError('lines', texts.none)
  const ids = lines.map(({ group }) => group)
  const groups = await renewal.lockAll(tx, [...new Set(ids)])
  const known = await knownMembers(
    tx,
    lines.flatMap(({ joining }) => joining as number[]),
  )
  const { max_group_members: most } = settings.current()
  const names = new Set<string>()
  const planned: Step[] = []
  for (const [at, line] of lines.entries()) {
    const field = (name: keyof Line) => `lines.${at}.${name}`
    const group = groups.get(line.group)
    if (!group || group.ended_at !== null) throw fieldError(field('group'), texts.noGroup)
    if (ids.indexOf(line.group) !== at) throw fieldError(field('group'), texts.twice)
    if (line.name !== null && names.has(line.name)) throw fieldError(field('name'), texts.sameName)
    if (line.name !== null) names.add(line.name)
    if (!line.joining.every((id) => known.has(id as number)))
      throw fieldError(field('joining'), texts.noMember)
    const step = await stepOf(tx, line, group)
    if (most && line.name !== null && step.staying.length + step.joining.length > most)
      throw fieldError(field('joining'), texts.full(most))
    if (line.owner != null && step.owner === null) throw fieldError(field('owner'), texts.noOwner)
    planned.push(step)
  }
  return planned
}

async function stepOf(tx: Tx, line: Line, group: { id: number; name: string; owner_id: number | null }) {
  const members = await renewal.listMemberIds(tx, group.id)
  const leaving = new Set(line.name === null ? members : (line.leaving as number[]))
  const staying = new Set(members.filter((id) => !leaving.has(id)))
  const joining = new Set(line.name === null ? [] : (line.joining as number[])).difference(staying)
  const wanted = line.owner === undefined ? group.owner_id : line.owner
  const isIn = wanted !== null && (staying.has(wanted) || joining.has(wanted))
  const isOwner = isIn && (wanted === group.owner_id || (await owners.mayOwn(tx, wanted)))
  return {
    group: { id: group.id, name: group.name },
    name: line.name,
    staying: [...staying],
    leaving: members.filter((id) => leaving.has(id)),
    joining: [...joining],
    owner: isOwner ? wanted : null,
  }
}

async function knownMembers(tx: Tx, ids: readonly number[]) {
  if (!ids.length) return new Set<number>()
  const rows = await allMemberIds(tx)
    .where(idIn(tx, 'id', ids))
    .execute()
  return new Set(rows.map(({ id }) => id))
}

const texts = {
  none: { en: 'Choose at least one group.', ja: 'グループを一つ以上選んでください。' },
  noGroup: {
    en: 'There is no such group, or it has ended.',
    ja: 'このグループは見つからないか、終了しています。',
  },
  twice: { en: 'The group is in two lines.', ja: '同じグループが二度選ばれています。' },
  sameName: { en: 'Two groups would have this name.', ja: '同じ名前のグループが二つできてしまいます。' },
  noMember: { en: 'Choose people who are members.', ja: 'メンバーの中から選んでください。' },
  noOwner: {
    en: 'Choose somebody who will be in the group.',
    ja: '新しいグループに入る人から選んでください。',
  },
  full: (most: number) => ({
    en: `A group can have ${most} members.`,
    ja: `グループの人数は${most}人までです。`,
  }),
}
