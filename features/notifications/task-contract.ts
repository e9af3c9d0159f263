import type { Language } from '#core/contract.ts'
import { san } from '#core/text/honorific.ts'
import type { Notification, NotificationKind, TaskKind } from './contract.ts'

/** For the list, push messages and mails. `of` names the child or the group; empty for other kinds. */
const taskSentences: Record<Language, Record<TaskKind, (waiting: number, of: string) => string>> = {
  en: {
    report: (n) => (n === 1 ? 'A report waits for a decision' : `${n} reports wait for a decision`),
    contact_request: (n, child) =>
      n === 1
        ? `A new contact of ${child} waits for your decision`
        : `${n} new contacts of ${child} wait for your decision`,
    join_request: (n) => (n === 1 ? 'Somebody would like to join' : `${n} people would like to join`),
    group_request: (n, group) =>
      `${n === 1 ? 'Somebody' : `${n} people`} would like to join ${group ? `the group “${group}”` : 'a group'}`,
    not_sent: (n) =>
      n === 1 ? 'Something could not be sent at its time' : `${n} things could not be sent at their time`,
    roll_call: () => 'Roll call: please tell us whether you are safe',
    roll_call_drill: () => 'Drill: this is an exercise. Please answer the roll call',
    roll_call_help: (n) => (n === 1 ? 'Roll call: somebody needs help' : `Roll call: ${n} people need help`),
  },
  ja: {
    report: (n) => `問題の報告が${n}件、対応を待っています`,
    contact_request: (n, child) => `${san(child)}の新しいやり取りの相手${n}人が、承認を待っています`,
    join_request: (n) => `参加の申し込みが${n}件あります`,
    group_request: (n, group) => `${group ? `「${group}」` : 'グループ'}への参加の申し込みが${n}件あります`,
    not_sent: (n) => `予約した時刻に送れなかったものが${n}件あります`,
    roll_call: () => '安否確認です。無事かどうか、お知らせください',
    roll_call_drill: () => '【訓練】安否確認の練習です。回答をお願いします',
    roll_call_help: (n) => `安否確認で、${n}人が助けを求めています`,
  },
}

export const taskPaths: Record<TaskKind, string> = {
  report: '/moderation',
  contact_request: '/guardian',
  join_request: '/admin/new-members',
  group_request: '/groups/requests',
  not_sent: '/scheduled',
  roll_call: '/roll-calls',
  roll_call_drill: '/roll-calls',
  roll_call_help: '/roll-calls',
}

export const isTask = (kind: NotificationKind): kind is TaskKind => kind in taskPaths

/** Undefined for other kinds. */
export const taskSentence = ({ kind, waiting = 1, child, group }: Notification, lang: Language) =>
  isTask(kind) ? taskSentences[lang][kind](waiting, child?.name ?? group?.name ?? '') : undefined
