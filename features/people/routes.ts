import type { AppContext } from '#core/context.ts'
import { transaction } from '#core/database/transaction.ts'
import type { Handlers } from '#core/http/endpoints.ts'
import { fieldError, HttpError } from '#core/http/errors.ts'
import * as mailDeletion from '#core/mail/deletion.ts'
import * as mailLimits from '#core/mail/limits.ts'
import { blockMember, listBlocked, unblockMember } from './blocks.ts'
import {
  type blockEndpoints,
  type handleEndpoints,
  MAX_HANDLES,
  type muteEndpoints,
  type peopleEndpoints,
} from './contract.ts'
import * as credentials from './credentials.ts'
import { followMember, unfollowMember } from './follows.ts'
import { parseHandle } from './handles.ts'
import * as listed from './listed.ts'
import * as model from './model.ts'
import { listMuted, muteMember, unmuteMember } from './mutes.ts'
import * as read from './read.ts'
import { listFollowedIds } from './read-follows.ts'
import { findByHandles } from './read-handles.ts'
import * as securityLog from './security-log.ts'
import { requireOpenSession } from './session-confirmation.ts'
import * as memberSessions from './sessions.ts'
import { requireEmailHash, requireValidLink, verificationMail } from './verification.ts'

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
    ja: 'このサイトではメールを送れません。確認用のリンクを、管理者から受け取ってください。',
  },
  profileSaved: { en: 'Profile updated successfully!', ja: 'プロフィールを更新しました。' },
  imageMissing: { en: 'The image field is required.', ja: '画像を選んでください。' },
}

/** 403 if the link is not valid. */
async function requireAccountOfLink(context: AppContext, link: Parameters<typeof requireValidLink>[1]) {
  requireValidLink(context, link)
  const id = Number(link.id)
  const { email } = await read.getEmail(context.db, id)
  requireEmailHash(email, link.hash)
  return id
}

export const peopleHandlers: Omit<Handlers<typeof peopleEndpoints>, 'me'> = {
  token: ({ session }) => {
    session.sendCookies()
    return undefined
  },

  logOut: async ({ db, realtime, session }) => {
    const before = session.token
    await transaction(db, (tx) => memberSessions.end(tx, realtime, before))
    session.renew()
  },

  verify: async (context) => {
    const { config, db, input, lang, me, session } = context
    const id = await requireAccountOfLink(context, input)
    const isFirst = await transaction(db, async (tx) => {
      const isFirst = await credentials.markVerified({ db: tx }, id)
      if (me?.id === id) {
        await requireOpenSession(tx, session.token)
        await credentials.proveEmail(tx, config, id)
      }
      return isFirst
    })
    const registered = me?.id === id ? undefined : await credentials.findUnproven(db, id)
    const message = (isFirst ? messages.verified : messages.alreadyVerified)[lang]
    return { message, ...(registered && { registered }) }
  },

  disownEmail: async (context) => {
    const { config, db, emit, input, lang } = context
    const id = await requireAccountOfLink(context, input)
    await transaction(db, async (tx) => {
      const account = await credentials.lock(tx, id)
      requireEmailHash(account?.email ?? null, input.hash)
      if (!(await credentials.findUnproven(tx, id))) throw new HttpError(403, messages.proven)
      await credentials.removeEmail(tx, id)
      await mailDeletion.deleteQueued(config, tx, { user_id: id, to: account!.email! })
      await emit(tx, 'member.email_disowned', { id })
      await securityLog.record(tx, id, 'email_changed')
    })
    return { message: messages.disowned[lang] }
  },

  sendVerification: async (context) => {
    const { db, me, lang, config } = context
    const { email, ...account } = await read.getMe(context)
    if (email === null) return { message: messages.noEmail[lang] }
    // Again until the address is proven, because somebody may have opened the link in another browser.
    if (!(await credentials.findUnproven(db, me.id))) return { message: messages.alreadyVerified[lang] }
    const mail = verificationMail(context, lang, { ...account, email })
    await transaction(db, async (tx) => {
      await mailLimits.countAddressMail(config, tx, me.id)
      await mailLimits.enqueue(config, tx, me.id, mail)
    })
    return { message: (config.SMTP_URL ? messages.linkSent : messages.linkNotSent)[lang] }
  },

  profile: (context) => read.getMe(context),

  saveProfile: async (context) => {
    await model.saveProfile(context, context.input)
    return { message: messages.profileSaved[context.lang], user: await read.getMe(context) }
  },

  saveProfileImage: async (context) => {
    const { media, files } = context
    if (!files.length) throw fieldError('image', messages.imageMissing)
    return media.store(files, read.avatarSizes, async ([picture]) => {
      const before = await model.replaceImage(context, picture!)
      if (before && before !== picture!.name) await media.deleteUnreferenced([before])
      return { profile_image: read.avatarUrl(media, picture!.name)! }
    })
  },

  users: (context) => listed.page(context, context.input),
  followings: (context) => listFollowedIds(context),
  followedUsers: (context) => listed.followed(context, context.input),

  followers: (context) => listed.follows(context, 'followed_id', context.input),
  following: (context) => listed.follows(context, 'follower_id', context.input),

  follow: async (context) => {
    await followMember(context, context.input.id)
    return { status: 'followed' }
  },
  unfollow: async (context) => {
    await unfollowMember(context, context.input.id)
    return { status: 'unfollowed' }
  },
}

export const handleHandlers: Handlers<typeof handleEndpoints> = {
  find: (context) => {
    const given = (context.input.handles ?? '').split(',').slice(0, MAX_HANDLES)
    return findByHandles(
      context,
      given.flatMap((handle) => parseHandle(handle) ?? []),
    )
  },
}

export const blockHandlers: Handlers<typeof blockEndpoints> = {
  list: (context) => listBlocked(context, context.input),
  block: async (context) => {
    await blockMember(context, context.input.id)
    return { status: 'blocked' }
  },
  unblock: async (context) => {
    await unblockMember(context, context.input.id)
    return { status: 'unblocked' }
  },
}

export const muteHandlers: Handlers<typeof muteEndpoints> = {
  list: (context) => listMuted(context, context.input),
  mute: async (context) => {
    await muteMember(context, context.input.id)
    return { status: 'muted' }
  },
  unmute: async (context) => {
    await unmuteMember(context, context.input.id)
    return { status: 'unmuted' }
  },
}
