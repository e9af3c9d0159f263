import type { AppContext, MemberContext } from '#core/context.ts'
import type { AllowedViewers } from '#core/realtime/visibility.ts'
import * as audiences from './audiences.ts'
import { type Post, type PostEvents, postChannels } from './contract.ts'

/** `onlyFor` may see the post. Viewers who muted or may not see one of `aboutUsers` do not get the event. */
export const to =
  ({ realtime }: AppContext) =>
  <E extends keyof PostEvents>(
    event: E,
    data: PostEvents[E],
    aboutUsers: number[],
    onlyFor: AllowedViewers | undefined,
  ) =>
    realtime.broadcast([postChannels.posts.name], event, data, {
      aboutUsers,
      unlessMuted: true,
      onlyFor,
    })

/** `post` as its author sees it. */
export async function created(context: MemberContext, post: Post) {
  const { me } = context
  const { id, audience = 'everyone', group_id = null } = post
  const viewers = await audiences.viewers(context, { author: me.id, audience, group_id })
  const data = { id, user_id: me.id, post: { ...post, liked_by_me: false, bookmarked_by_me: false } }
  to(context)('PostCreated', data, [me.id], viewers)
}
