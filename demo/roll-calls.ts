import { type AppContext, withoutRoles } from '#core/context.ts'
import { memberIndex } from '#demo/members.ts'
import * as answers from '#features/roll-calls/answers.ts'
import type { RollCallState } from '#features/roll-calls/contract.ts'
import * as model from '#features/roll-calls/model.ts'

const given: readonly [who: string, state: RollCallState, place: string | null, words: string | null][] = [
  ['aya', 'safe', 'The hall', null],
  ['ben', 'help', 'Bakery, back door', 'The oven door is stuck. I am not, yet.'],
  ['ben', 'safe', 'Bakery', 'Out again.'],
  ['chiharu', 'safe', '自宅', 'もなかも無事です。'],
]

/** A drill that has ended, so that no page asks for an answer. */
export async function seedDemoRollCall(context: AppContext, ids: readonly number[]) {
  const as = (who: string) => withoutRoles(context, ids[memberIndex(who)]!)
  const admin = { ...as('aya'), me: { ...as('aya').me, is_admin: true } }
  const id = await model.start(admin, { title: 'Earthquake: are you safe?', is_drill: true, group_id: null })
  for (const [who, state, place, words] of given) {
    const member = as(who)
    await answers.save(member, id, member.me.id, { state, place, words, waited: 0 })
  }
  await model.end(admin, id)
}
