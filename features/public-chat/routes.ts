import type { AppContext } from '#core/context.ts'
import { fillChannel } from '#core/contract.ts'
import type { Handlers } from '#core/http/endpoints.ts'
import { httpErrors } from '#core/http/errors.ts'
import { reportUnstored } from '#features/moderation/reports.ts'
import { reportAnswer } from '#features/moderation/routes.ts'
import * as people from '#features/people/read.ts'
import { publicChannels, type publicEndpoints } from './contract.ts'
import { isReportable, signMessage } from './signatures.ts'

const channels = [fillChannel(publicChannels.publicChat)]

export function publicHandlers(app: AppContext): Handlers<typeof publicEndpoints> {
  const readOwnPerson = people.ownReader(app)

  return {
    async send({ config, realtime, settings, me, input: { message } }) {
      if (me && settings.isMembersOnly()) {
        const writer = signMessage(config, await readOwnPerson(me.id), message)
        const onlyFor = { aboutUsers: [me.id], unlessMuted: true, onlyFor: 'members' } as const
        realtime.broadcast(channels, 'MessageSent', { message, writer }, onlyFor)
      } else realtime.broadcast(channels, 'MessageSent', { message })
      return { status: 'Message broadcasted!' }
    },
    async report(context) {
      const { reason, note, ...signed } = context.input
      if (!isReportable(context.config, signed)) throw httpErrors.notFound()
      const { id, user_id: author, message: text, created_at } = signed
      const isNew = await reportUnstored(
        context,
        { kind: 'public_message', id, reason, note },
        { author, text, created_at },
      )
      return { message: reportAnswer(isNew)[context.lang] }
    },
  }
}
