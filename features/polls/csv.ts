import type { MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { transaction } from '#core/database/transaction.ts'
import { csvDownload } from '#core/http/csv.ts'
import { notApart } from '#features/people/apart.ts'
import * as people from '#features/people/read.ts'
import type { Answer } from './contract.ts'
import * as missing from './missing.ts'
import * as polls from './rows.ts'

const texts = {
  en: {
    name: 'Name',
    comes: 'Answer',
    guests: 'More people',
    note: 'Note',
    guardian: 'By a guardian',
    open: 'not yet',
  },
  ja: {
    name: '名前',
    comes: '回答',
    guests: 'ほかの人数',
    note: 'ひとこと',
    guardian: '保護者が回答',
    open: 'まだ',
  },
} satisfies Record<Language, object>

const signs: Readonly<Record<Answer, string>> = { yes: '○', maybe: '△', no: '×' }

/** Who has answered what, and then who has not. 403 except for the author, and for a secret poll. */
export const file = (context: MemberContext & { lang: Language }, id: number) =>
  transaction(context.db, async (tx) => {
    const viewer = { ...context, db: tx }
    const t = texts[context.lang]
    const poll = await missing.requireOwn(viewer, id)
    const options = await polls.listOptions(tx, [id])
    const votes = await tx.selectFrom('poll_votes').selectAll().where('poll_id', '=', id).execute()
    const answers = new Map(
      votes.map(({ user_id, option_id, answer }) => [`${user_id} ${option_id}`, answer]),
    )
    const voters = await tx
      .selectFrom('poll_voters as v')
      .innerJoin(people.rows(viewer).as('u'), 'u.id', 'v.user_id')
      .select(['u.id', 'u.name', 'v.note', 'v.guests', 'v.guardian_id'])
      .where('v.poll_id', '=', id)
      .where(notApart(viewer, 'v.user_id'))
      .orderBy('v.user_id')
      .execute()
    const open = await (await missing.missingQuery(context, tx, poll)).orderBy('users.id').execute()
    const columns = options.map(
      ({ text, day, time }) => text ?? ([day, time].filter(Boolean).join(' ') || t.comes),
    )
    const signOf = (member: number, option: number) => {
      const answer = answers.get(`${member} ${option}`)
      return answer ? signs[answer] : ''
    }
    return csvDownload(`poll-${id}.csv`, [
      [t.name, ...columns, t.guests, t.note, t.guardian],
      ...voters.map((voter) => [
        voter.name,
        ...options.map((option) => signOf(voter.id, option.id)),
        ...[
          voter.guests ? String(voter.guests) : '',
          voter.note ?? '',
          voter.guardian_id === null ? '' : '✓',
        ],
      ]),
      ...open.map(({ name }) => [name, t.open, ...columns.slice(1).map(() => ''), '', '', '']),
    ])
  })
