import type { AppContext } from '#core/context.ts'
import { transaction } from '#core/database/transaction.ts'
import type { EndpointHandlers } from '#core/http/endpoints.ts'
import { createInvalidFieldError, HttpError } from '#core/http/errors.ts'
import { deleteQueuedMailsAndEnqueueFileDeletion } from '#core/mail/deletion.ts'
import {
  enqueueLimitedMailToUnverifiedAddress,
  incrementUnverifiedAddressMailCountOrThrow429,
} from '#core/mail/limits.ts'
import type { peopleEndpoints } from './contract.ts'
import {
  findUnprovenAccount,
  lockAndReadAccount,
  markEmailVerified,
  proveEmail,
  removeEmailAddressOfAccount,
} from './credentials.ts'
import { followMember, unfollowMember } from './follows.ts'
import * as model from './model.ts'
import * as read from './read.ts'
import { listVisibleFollowedIds } from './read-follows.ts'
import { recordSecurityEvent } from './security-log.ts'
import { requireSessionNotEnded } from './session-confirmation.ts'
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
  proven: {
    en: 'The owner of this account has confirmed the address. If it is not you, please ask an admin.',
    ja: 'このアカウントの持ち主が、すでにアドレスを確認しています。お心当たりがなければ、管理者にご連絡ください。',
  },
  disowned: {
    en: 'Thank you. Your address is no longer part of that account.',
    ja: 'お知らせありがとうございます。アカウントから、このアドレスを外しました。',
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

/** Returns the id of the account of a verification link. Throws 403 if the link is not valid. */
async function requireAccountOfLink(
  context: AppContext,
  link: Parameters<typeof requireSignedUnexpiredEmailVerificationLink>[1],
) {
  requireSignedUnexpiredEmailVerificationLink(context, link)
  const id = Number(link.id)
  const { email } = await read.readEmailAndVerifiedTime(context.db, id)
  requireMatchingEmailHash(email, link.hash)
  return id
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
    const { config, db, input, lang, me, session } = context
    const id = await requireAccountOfLink(context, input)
    const isFirst = await transaction(db, async (tx) => {
      const isFirst = await markEmailVerified({ db: tx }, id)
      if (me?.id === id) {
        await requireSessionNotEnded(tx, session.token)
        await proveEmail(tx, config, id)
      }
      return isFirst
    })
    const registered = me?.id === id ? undefined : await findUnprovenAccount(db, id)
    const message = (isFirst ? messages.verified : messages.alreadyVerified)[lang]
    return { message, ...(registered && { registered }) }
  },

  disownEmail: async (context) => {
    const { config, db, emit, input, lang } = context
    const id = await requireAccountOfLink(context, input)
    await transaction(db, async (tx) => {
      const account = await lockAndReadAccount(tx, id)
      requireMatchingEmailHash(account?.email ?? null, input.hash)
      if (!(await findUnprovenAccount(tx, id))) throw new HttpError(403, messages.proven)
      await removeEmailAddressOfAccount(tx, id)
      await deleteQueuedMailsAndEnqueueFileDeletion(config, tx, { user_id: id, to: account!.email! })
      await emit(tx, 'member.email_disowned', { id })
      await recordSecurityEvent(tx, id, 'email_changed')
    })
    return { message: messages.disowned[lang] }
  },

  sendVerification: async (context) => {
    const { db, me, lang, config } = context
    const { email, ...account } = await read.readMe(context)
    if (email === null) return { message: messages.noEmail[lang] }
    // Sends the link again until the address is proven, because somebody may have opened it in another browser.
    if (!(await findUnprovenAccount(db, me.id))) return { message: messages.alreadyVerified[lang] }
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
