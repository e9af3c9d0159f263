import { transaction } from '#core/database/transaction.ts'
import type { EndpointHandlers } from '#core/http/endpoints.ts'
import { createInvalidFieldError } from '#core/http/errors.ts'
import {
  enqueueLimitedMailToUnverifiedAddress,
  incrementUnverifiedAddressMailCountOrThrow429,
} from '#core/mail/limits.ts'
import type { peopleEndpoints } from './contract.ts'
import { markEmailVerified } from './credentials.ts'
import { followMember, unfollowMember } from './follows.ts'
import * as model from './model.ts'
import * as read from './read.ts'
import { listVisibleFollowedIds } from './read-follows.ts'
import { endSession } from './sessions.ts'
import {
  createEmailVerificationMail,
  requireMatchingEmailHash,
  requireSignedUnexpiredEmailVerificationLink,
} from './verification.ts'

const messages = {
  verified: { en: 'Your email address has been verified.', ja: 'メールアドレスを確認しました。' },
  alreadyVerified: {
    en: 'Your email address is already verified.',
    ja: 'メールアドレスはすでに確認済みです。',
  },
  noEmail: {
    en: 'Your account has no email address. You can add one on the page “Account”.',
    ja: 'メールアドレスが登録されていません。「アカウント」ページで追加できます。',
  },
  linkSent: {
    en: 'A new verification link has been sent to your email address.',
    ja: '確認メールを再送しました。',
  },
  linkNotSent: {
    en: 'This site cannot send mail. Please ask an admin for the link that verifies your address.',
    ja: 'このサイトはメールを送信できません。メールアドレスを確認するためのリンクは、管理者にお問い合わせください。',
  },
  profileSaved: { en: 'Profile updated successfully!', ja: 'プロフィールを更新しました。' },
  imageMissing: { en: 'The image field is required.', ja: '画像を選んでください。' },
}

export const peopleEndpointHandlers: Omit<EndpointHandlers<typeof peopleEndpoints>, 'me'> = {
  token: ({ session }) => {
    session.sendCookies()
    return undefined
  },

  logOut: async ({ db, realtime, session }) => {
    const before = session.token
    await transaction(db, (tx) => endSession(tx, realtime, before))
    session.renew()
  },

  verify: async (context) => {
    const { db, input, lang } = context
    requireSignedUnexpiredEmailVerificationLink(context, input)
    const id = Number(input.id)
    const { email } = await read.readEmailAndVerifiedTime(db, id)
    requireMatchingEmailHash(email, input.hash)
    const isFirst = await markEmailVerified(context, id)
    return { message: (isFirst ? messages.verified : messages.alreadyVerified)[lang] }
  },

  sendVerification: async (context) => {
    const { db, me, lang, config } = context
    const { email, ...account } = await read.readMe(context)
    if (email === null) return { message: messages.noEmail[lang] }
    if (account.email_verified_at) return { message: messages.alreadyVerified[lang] }
    const mail = createEmailVerificationMail(context, lang, { ...account, email })
    await transaction(db, async (tx) => {
      await incrementUnverifiedAddressMailCountOrThrow429(config, tx, me.id)
      await enqueueLimitedMailToUnverifiedAddress(config, tx, me.id, mail)
    })
    return { message: (config.SMTP_URL ? messages.linkSent : messages.linkNotSent)[lang] }
  },

  profile: (context) => read.readMe(context),

  saveProfile: async (context) => {
    await model.saveProfile(context, context.input)
    return { message: messages.profileSaved[context.lang], user: await read.readMe(context) }
  },

  saveProfileImage: async (context) => {
    const { media, files } = context
    if (!files.length) throw createInvalidFieldError('image', messages.imageMissing)
    return media.store(files, read.avatarImageOutputSizes, async ([picture]) => {
      const before = await model.replaceProfileImageAndReturnOldName(context, picture!)
      if (before && before !== picture!.name) await media.deleteUnreferenced([before])
      return { profile_image: read.toAvatarUrl(media, picture!.name)! }
    })
  },

  users: (context) => read.listVisibleUsersMatchingName(context, context.input),
  followings: (context) => listVisibleFollowedIds(context),
  followedUsers: (context) => read.listOwnFollowedUsers(context, context.input),

  followers: (context) => read.listFollowersOrFollowing(context, 'followed_id', context.input),
  following: (context) => read.listFollowersOrFollowing(context, 'follower_id', context.input),

  follow: async (context) => {
    await followMember(context, context.input.id)
    return { status: 'followed' }
  },
  unfollow: async (context) => {
    await unfollowMember(context, context.input.id)
    return { status: 'unfollowed' }
  },
}
