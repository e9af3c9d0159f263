import type { MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import {
  type ExportRecord,
  type ExportSection,
  type ExportValue,
  exportPictureOf,
  yieldOnePage,
  yieldPages,
} from '#core/feature/exports.ts'
import { paged } from '#core/http/pagination.ts'
import { listBlocked } from './blocks.ts'
import type { ListedUser, Person } from './contract.ts'
import * as listed from './listed.ts'
import { listMuted } from './mutes.ts'
import * as persons from './read.ts'
import { securityEventNames } from './security-event-texts.ts'
import * as securityLog from './security-log.ts'
import * as memberSessions from './sessions.ts'

const texts = {
  en: {
    profile: 'Profile',
    name: 'Name',
    reading: 'Reading of the name',
    handle: 'Handle',
    email: 'Email address',
    verified: 'Verified at',
    joined: 'Joined at',
    admin: 'Admin',
    yes: 'Yes',
    following: 'Following',
    followers: 'Followers',
    blocked: 'Blocked people',
    muted: 'Muted people',
    sessions: 'Devices',
    device: 'Device',
    network: 'Network',
    lastUsed: 'Last used',
    log: 'Security log',
    byAdmin: 'By an admin',
  },
  ja: {
    profile: 'プロフィール',
    name: '名前',
    reading: 'ふりがな',
    handle: 'ID',
    email: 'メールアドレス',
    verified: '確認日時',
    joined: '登録日時',
    admin: '管理者',
    yes: 'はい',
    following: 'フォロー中',
    followers: 'フォロワー',
    blocked: 'ブロックした人',
    muted: 'ミュートした人',
    sessions: '端末',
    device: '端末',
    network: 'ネットワーク',
    lastUsed: '最終利用',
    log: 'アカウントの操作記録',
    byAdmin: '管理者による',
  },
} satisfies Record<Language, object>

/** With the handle if another name looks alike. */
export const exportedName = ({ name, shared_handle }: Pick<Person, 'name' | 'shared_handle'>) =>
  shared_handle ? `${name} (@${shared_handle})` : name

async function* readProfileRecords(viewer: MemberContext, lang: Language) {
  const t = texts[lang]
  const { profile_image, ...me } = await persons.getMe(viewer)
  const facts: (readonly [string, ExportValue[1] | null])[] = [
    [t.name, me.name],
    [t.reading, me.reading ?? null],
    [t.handle, me.handle],
    [t.email, me.email],
    [t.verified, me.email_verified_at && { time: me.email_verified_at }],
    [t.joined, { time: me.created_at }],
    [t.admin, me.is_admin ? t.yes : null],
  ]
  const record: ExportRecord = {
    data: me,
    text: me.bio,
    facts: facts.flatMap(([label, value]) => (value ? [[label, value] as const] : [])),
    pictures: exportPictureOf(profile_image),
  }
  yield [record]
}

async function* readFollowRecords(viewer: MemberContext, column: 'follower_id' | 'followed_id') {
  const read = yieldPages((page) => listed.follows(viewer, column, { id: viewer.me.id, ...page }))
  for await (const people of read)
    yield people.map(
      ({ id, name, handle, bio, ...person }: ListedUser): ExportRecord => ({
        data: { id, name, handle },
        heading: exportedName({ name, ...person }),
        text: bio,
      }),
    )
}

async function* readBlockRecords(viewer: MemberContext) {
  for await (const people of yieldPages((page) => listBlocked(viewer, page)))
    yield people.map(({ blocked_at, ...person }) => toDatedPersonRecord(person, { blocked_at }, blocked_at))
}

async function* readMuteRecords(viewer: MemberContext) {
  for await (const people of yieldPages((page) => listMuted(viewer, page)))
    yield people.map(({ muted_at, ...person }) => toDatedPersonRecord(person, { muted_at }, muted_at))
}

const toDatedPersonRecord = ({ id, name, ...person }: Person, data: object, time: string): ExportRecord => ({
  data: { id, name, ...data },
  heading: exportedName({ name, ...person }),
  time,
})

async function* readEventRecords({ db, me }: MemberContext, lang: Language) {
  const t = texts[lang]
  const read = yieldPages(async (page) =>
    paged(
      await securityLog.list(db, me.id, page),
      page.limit,
      (last) => ({ before: last.id }),
      (rows) => rows,
    ),
  )
  for await (const events of read)
    yield events.map(({ kind, network, created_at, actor_id }): ExportRecord => {
      const by_admin = actor_id !== null && actor_id !== me.id
      return {
        data: { kind, network, created_at, by_admin },
        heading: securityEventNames[kind][lang],
        time: created_at,
        facts: network ? [[t.network, network]] : [],
        note: by_admin ? t.byAdmin : undefined,
      }
    })
}

async function readSessionRecords({ db, me }: MemberContext, lang: Language) {
  const t = texts[lang]
  const sessions = await memberSessions.list(db, me.id, '')
  return sessions.map(({ device, network, created_at, last_used_at }): ExportRecord => {
    const facts = [
      [t.network, network],
      [t.lastUsed, { time: last_used_at }],
    ] as const
    return {
      data: { device, network, created_at, last_used_at },
      heading: device ?? t.device,
      time: created_at,
      facts: facts.flatMap(([label, value]) => (value ? [[label, value] as const] : [])),
    }
  })
}

export const exportSection: ExportSection = {
  title: { en: 'Account', ja: 'アカウント' },
  count: async () => 1,
  async *documents(viewer, lang) {
    const t = texts[lang]
    yield {
      path: 'profile',
      title: t.profile,
      layout: 'start',
      pages: () => readProfileRecords(viewer, lang),
    }
    yield {
      path: 'following',
      title: t.following,
      layout: 'list',
      pages: () => readFollowRecords(viewer, 'follower_id'),
    }
    yield {
      path: 'followers',
      title: t.followers,
      layout: 'list',
      pages: () => readFollowRecords(viewer, 'followed_id'),
    }
    yield { path: 'blocked', title: t.blocked, layout: 'list', pages: () => readBlockRecords(viewer) }
    yield { path: 'muted', title: t.muted, layout: 'list', pages: () => readMuteRecords(viewer) }
    yield {
      path: 'sessions',
      title: t.sessions,
      layout: 'list',
      pages: () => yieldOnePage(() => readSessionRecords(viewer, lang)),
    }
    yield {
      path: 'security-log',
      title: t.log,
      layout: 'list',
      pages: () => readEventRecords(viewer, lang),
    }
  },
}
