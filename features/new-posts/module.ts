import '#features/groups/events.ts'
import '#features/people/events.ts'
import '#features/posts/events.ts'
import { defineFeature } from '#core/feature/module.ts'
import type { Handlers } from '#core/http/endpoints.ts'
import { newPostEndpoints } from './contract.ts'
import { exportSection } from './export.ts'
import * as model from './model.ts'
import { pageDefinitions } from './pages.ts'
import { newPostSchemas } from './schemas.ts'
import { serverSections } from './server-pages.ts'
import { newPostMigrations } from './tables.ts'
import * as telling from './telling.ts'

const handlers: Handlers<typeof newPostEndpoints> = {
  get: (context) => model.get(context),
  save: (context) => model.save(context, context.input.mode),
  choosePerson: (context) => model.choosePerson(context, context.input.id),
  dropPerson: (context) => model.dropPerson(context, context.input.id),
  chooseGroup: (context) => model.chooseGroup(context, context.input.id),
  dropGroup: (context) => model.dropGroup(context, context.input.id),
}

/** Each member decides of whose new posts they are told. */
export const newPostsModule = defineFeature({
  name: 'new-posts',
  pages: pageDefinitions,
  pageSections: serverSections,
  migrations: newPostMigrations,
  exportSection,
  contracts: { newPosts: [newPostEndpoints, newPostSchemas] },
  routes: () => ({ newPosts: handlers }),
  listeners: {
    'post.created': (tx, post, context) => telling.enqueue(context, tx, post),
    'post.announced': (tx, { id: post, user_id: author }) => telling.enqueueRemoval(tx, { post, author }),
    'post.deleted': async (tx, { id: post, user_id: author, with_account }) => {
      if (!with_account) await telling.enqueueRemoval(tx, { post, author })
    },
    'member.deleted': (tx, { id: author }) => telling.enqueueRemoval(tx, { author }),
    'member.blocked': async (tx, { blocker_id, blocked_id }) => {
      await model.deletePerson(tx, blocker_id, blocked_id)
      await model.deletePerson(tx, blocked_id, blocker_id)
    },
    'group.member_removed': async (tx, { conversation_id, user_id }) =>
      void (await model.deleteGroup(tx, user_id, conversation_id)),
  },
  startBackgroundWork: (context, _, jobRetryDelays) => telling.startRunner(context, jobRetryDelays),
})
