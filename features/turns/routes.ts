import { transaction } from '#core/database/transaction.ts'
import type { Handlers } from '#core/http/endpoints.ts'
import type { turnEndpoints } from './contract.ts'
import * as model from './model.ts'
import * as plan from './plan.ts'
import * as read from './read.ts'

export const turnHandlers: Handlers<typeof turnEndpoints> = {
  groups: (context) => read.listGroups(context, context.input),
  members: (context) => read.listMembers(context, context.input.id, context.input),
  list: (context) => read.list(context),
  preview: (context) =>
    transaction(context.db, async (tx) =>
      read.describe({ ...context, db: tx }, await plan.steps(context, tx, context.input.lines)),
    ),
  make: async (context) => read.get(context, await model.make(context, context.input.lines)),
  undo: async (context) => {
    const { kept, pictures } = await model.undo(context, context.input.id)
    await context.media.deleteUnreferenced(pictures)
    return { turn: await read.get(context, context.input.id), kept }
  },
}
