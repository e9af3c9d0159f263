import type { AppContext } from '#core/context.ts'
import { fillChannelNameParameters } from '#core/contract.ts'
import type { EndpointHandlers } from '#core/http/endpoints.ts'
import { httpErrorFactories } from '#core/http/errors.ts'
import { reportUnstored } from '#features/moderation/reports.ts'
import { reportReceivedSentence } from '#features/moderation/routes.ts'
import { createCachedOwnPersonReader } from '#features/people/read.ts'
import { publicChatChannelDefinitions, type publicChatEndpoints } from './contract.ts'
import { isReportable, signPublicMessage } from './signatures.ts'

const channels = [fillChannelNameParameters(publicChatChannelDefinitions.publicChat)]

export function createPublicChatEndpointHandlers(
  app: AppContext,
): EndpointHandlers<typeof publicChatEndpoints> {
  const readOwnPerson = createCachedOwnPersonReader(app)

  return {
    async send({ config, realtime, settings, me, input: { message } }) {
      if (me && settings.isMembersOnly()) {
        const writer = signPublicMessage(config, await readOwnPerson(me.id), message)
        const onlyFor = { aboutUsers: [me.id], unlessMuted: true, onlyFor: 'members' } as const
        realtime.broadcast(channels, 'MessageSent', { message, writer }, onlyFor)
      } else realtime.broadcast(channels, 'MessageSent', { message })
      return { status: 'Message broadcasted!' }
    },
    async report(context) {
      const { reason, note, ...signed } = context.input
      if (!isReportable(context.config, signed)) throw httpErrorFactories.notFound()
      const { id, user_id: author, message: text, created_at } = signed
      await reportUnstored(
        context,
        { kind: 'public_message', id, reason, note },
        { author, text, created_at },
      )
      return { message: reportReceivedSentence[context.lang] }
    },
  }
}
