import { type AppContext, type MemberContext, withoutRoles } from '#core/context.ts'
import { transaction } from '#core/database/transaction.ts'
import { albumUploads, seedDemoAlbums } from '#demo/albums.ts'
import { groupChats, privateChats } from '#demo/chats.ts'
import { seedDemoChats } from '#demo/conversations.ts'
import { seedAnswers, seedJobs, toEvent } from '#demo/events.ts'
import { DEMO_PASSWORD, type DemoMember, demoMembers, followPairs, memberIndex } from '#demo/members.ts'
import { ageNotifications } from '#demo/notifications.ts'
import { seedOpenGroups } from '#demo/open-groups.ts'
import { portraitFileName, sceneFileName } from '#demo/pictures.ts'
import { seedVotes, toPoll } from '#demo/polls.ts'
import { type DemoPost, demoPosts } from '#demo/posts.ts'
import { seedDemoEmojiReactions } from '#demo/reactions.ts'
import { seedDemoReplies } from '#demo/replies.ts'
import { seedDemoRollCall } from '#demo/roll-calls.ts'
import { ageVisits } from '#demo/since.ts'
import { type DemoPictureFilesOfOwner, type StoredPictures, storePictures } from '#demo/store-pictures.ts'
import * as acknowledgements from '#features/acknowledgements/model.ts'
import * as credentials from '#features/people/credentials.ts'
import { followMember } from '#features/people/follows.ts'
import { createAccount, replaceImage, saveProfile } from '#features/people/model.ts'
import { hashPassword } from '#features/people/passwords.ts'
import * as people from '#features/people/read.ts'
import { addBookmark } from '#features/posts/bookmarks.ts'
import * as posts from '#features/posts/model.ts'
import { imageWidths } from '#features/posts/read-images.ts'

/**
 * Adds the demo community to a database that has no accounts yet: members, follows, posts, likes, replies,
 * bookmarks, chats, reactions and notifications. Writes all these rows in one transaction. So an interrupted
 * start leaves none of them, and SQLite syncs to disk once instead of 2,000 times.
 */
export async function seedDemoCommunityIfEmpty(app: AppContext) {
  const { db, media } = app
  if (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) return
  // Hashes the password once for all members, because a hash is slow and all members have the same password.
  const password_hash = await hashPassword(DEMO_PASSWORD, '')
  await storePictures(media, uploads(), (pictures) =>
    transaction(db, async (tx) => {
      const context = { ...app, db: tx }
      const ids: number[] = []
      for (const person of demoMembers) {
        const isFirstAdmin = ids.length === 0
        const { id } = await createAccount(context, tx, { ...person, password_hash, isFirstAdmin })
        await completeProfile(context, id, person, pictures)
        ids.push(id)
      }
      for (const [follower, followed] of followPairs)
        await followMember(withoutRoles(context, ids[follower]!), ids[followed]!)
      const oldestFirst = demoPosts.toSorted((a, b) => b.minutesAgo - a.minutesAgo)
      for (const post of oldestFirst) await seedPost(context, post, ids, pictures)
      await seedDemoReplies(context, ids)
      await seedBookmarks(withoutRoles(context, ids[memberIndex('ben')]!))
      await seedDemoChats(context, ids, pictures)
      await seedDemoEmojiReactions(context, ids)
      await seedDemoRollCall(context, ids)
      await seedDemoAlbums(context, ids, pictures)
      await ageNotifications(tx)
      await ageVisits(tx)
      await seedOpenGroups(context, ids)
      // Six weeks of posts are not news.
      await tx.deleteFrom('jobs').where('kind', '=', 'tell_new_post').execute()
    }),
  )
}

function uploads(): DemoPictureFilesOfOwner[] {
  const messages = [...privateChats, ...groupChats].flatMap((chat) => chat.messages)
  const faces = demoMembers.flatMap((person) =>
    person.face
      ? [
          {
            owner: person,
            files: [portraitFileName(person.face)],
            sizes: people.avatarSizes,
          },
        ]
      : [],
  )
  const pictures = [...demoPosts, ...messages]
    .filter((owner) => owner.pictures.length > 0)
    .map((owner) => ({
      owner,
      files: owner.pictures.map(sceneFileName),
      sizes: imageWidths,
    }))
  return [...faces, ...pictures, ...albumUploads()]
}

async function completeProfile(
  context: AppContext,
  id: number,
  person: DemoMember,
  pictures: StoredPictures,
) {
  await credentials.markVerified(context, id)
  await saveProfile(withoutRoles(context, id), person)
  const [face] = pictures.get(person) ?? []
  if (face) await replaceImage(withoutRoles(context, id), face)
}

/** Bookmarks some of the demo posts for one member. */
async function seedBookmarks(context: MemberContext) {
  for (let id = 10; id <= demoPosts.length; id += 40) await addBookmark(context, id)
}

async function seedPost(context: AppContext, post: DemoPost, ids: readonly number[], stored: StoredPictures) {
  const { by, minutesAgo, text, likes, asks, dates, event } = post
  const at = new Date(Date.now() - minutesAgo * 60_000).toISOString()
  const pictures = stored.get(post) ?? []
  const alt = post.pictures.map((picture) => picture.alt)
  const author = withoutRoles(context, ids[by]!)
  const extras = {
    ...(asks && { acknowledgement: {} }),
    ...(dates.length > 0 && { poll: toPoll(dates) }),
    ...(event && { event: toEvent(event) }),
  }
  const { id } = await posts.create(
    asks ? { ...author, me: { ...author.me, is_admin: true } } : author,
    { body: text, pictures, descriptions: alt, extras },
    at,
  )
  for (const liker of likes) {
    const reader = withoutRoles(context, ids[liker]!)
    await posts.like(reader, id)
    if (asks) await acknowledgements.add(reader, { id })
  }
  const readers = likes.map((liker) => ids[liker]!)
  if (dates.length) await seedVotes(context, id, readers)
  if (!event) return
  await seedAnswers(context, id, readers)
  await seedJobs(context, { post: id, author: author.me.id, members: readers }, event.jobs)
}
