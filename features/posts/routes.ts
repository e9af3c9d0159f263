import type { AppContext } from '#core/context.ts'
import type { EndpointHandlers } from '#core/http/endpoints.ts'
import { createInvalidFieldError } from '#core/http/errors.ts'
import type { MediaGuards } from '#core/media/guards.ts'
import type { AllowedEventViewers } from '#core/realtime/visibility.ts'
import { type PostChannelEvents, postChannelDefinitions, type postEndpoints } from './contract.ts'
import { createPostListReaders } from './feeds.ts'
import * as model from './model.ts'
import * as read from './read.ts'
import { attachmentImageSizes } from './read-images.ts'
import { POST_IMAGE_ACCESS_GUARD } from './tables.ts'
import { isPostHiddenByModerator, listAudienceGroups, readPostEventViewers } from './visible-posts.ts'

const messages = {
  created: { en: 'Post submitted successfully.', ja: '投稿しました。' },
  deleted: { en: 'The post was deleted.', ja: '投稿を削除しました。' },
  nothing: { en: 'Write something or add a picture.', ja: '文章を入力するか、画像を追加してください。' },
}

/**
 * Creates the guard of the pictures of posts that are not for everybody, or that a moderator has hidden.
 * The guard decides who may load such a picture.
 */
export const createPostMediaGuards = (context: AppContext): MediaGuards => ({
  [POST_IMAGE_ACCESS_GUARD]: (me, picture) => read.maySeePostImage({ ...context, me }, picture),
})

export function createPostRoutes(app: AppContext): EndpointHandlers<typeof postEndpoints> {
  const feeds = createPostListReaders(app)
  /**
   * Broadcasts an event of a post to `onlyFor`, the viewers who may see the post. A viewer does not get the
   * event if they may not see one of the people in `aboutUsers`, or have muted one of them.
   */
  const broadcast = <E extends keyof PostChannelEvents>(
    event: E,
    data: PostChannelEvents[E],
    aboutUsers: number[],
    onlyFor: AllowedEventViewers | undefined,
  ) =>
    app.realtime.broadcast([postChannelDefinitions.posts.name], event, data, {
      aboutUsers,
      unlessMuted: true,
      onlyFor,
    })
  const broadcastLikes = (id: number, { author, is_hidden, viewers, ...likes }: model.LikeChangeResult) => {
    if (!is_hidden) broadcast('PostLiked', { id, likes_count: likes.likes_count }, [author], viewers)
    return likes
  }

  return {
    list: (context) => feeds.all(context, context.input),
    following: (context) => feeds.following(context, context.input),
    byAuthor: ({ input: { id, ...page }, ...context }) => feeds.byAuthor(context, id, page),
    show: (context) => read.readPost(context, context.input.id),
    author: (context) => read.readProfileWithPostsCount(context, context.input.id),
    likers: (context) => read.listLikers(context, context.input),
    audienceGroups: (context) => listAudienceGroups(context),
    firstSteps: (context) => read.readFirstSteps(context),

    create: async (context) => {
      const { me, media, files, lang } = context
      const { text: body, alt, client_id, audience, group_id } = context.input
      if (!body && !files.length) throw createInvalidFieldError('text', messages.nothing)
      const { id, isNew } = await media.store(files, attachmentImageSizes, (pictures) =>
        model.createPost(context, { body, pictures, descriptions: alt, client_id, audience, group_id }),
      )
      const post = await read.readPost(context, id)
      // A repeated request announces the post again, because the process may have ended before the first
      // announcement. It does not announce a post that a moderator has hidden since then.
      if (isNew || !(await isPostHiddenByModerator(context.db, id))) {
        // Uses the stored audience, because a repeated request may name another one.
        const { audience: stored = 'everyone', group_id: group = null } = post
        const viewers = await readPostEventViewers(context, {
          author: me.id,
          audience: stored,
          group_id: group,
        })
        const data = { id, user_id: me.id, post: { ...post, liked_by_me: false } }
        broadcast('PostCreated', data, [me.id], viewers)
      }
      return { message: messages.created[lang], post }
    },
    remove: async (context) => {
      const { id } = context.input
      const { pictures, viewers } = await model.deletePostAsAuthorOrAdmin(context, id)
      broadcast('PostDeleted', { id }, [], viewers)
      await context.media.deleteUnreferenced(pictures)
      return { message: messages.deleted[context.lang] }
    },

    toggleLike: async (context) =>
      broadcastLikes(context.input.id, await model.togglePostLike(context, context.input.id)),
    like: async (context) =>
      broadcastLikes(context.input.id, await model.likePost(context, context.input.id)),
    unlike: async (context) => {
      const { id } = context.input
      const { isVisible, likes } = await model.unlikePost(context, id)
      const answer = broadcastLikes(id, likes)
      // Responds with the same 404 as to a member without a like, so that the response does not tell
      // whether the post still exists.
      if (!isVisible) throw read.createNoSuchPostError()
      return answer
    },
  }
}
