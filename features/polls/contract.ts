import { endpoints } from '#core/contract.ts'
import type { pollSchemas } from './schemas.ts'

export type {
  Answer,
  Answers,
  NewPoll,
  NewPollInput,
  Poll,
  PollEvents,
  Polls,
  Voter,
  WaitingPoll,
} from './schemas.ts'

export const MAX_OPTIONS = 20
export const MAX_OPTION_LENGTH = 100
export const MAX_NOTE_LENGTH = 200
export const MAX_GUESTS = 20
/** In ms, between two reminders of a poll. */
export const REMINDER_INTERVAL = 12 * 3600_000
/** ○ △ ×. */
export const answerKinds = ['yes', 'maybe', 'no'] as const

export const pollEndpoints = endpoints<typeof pollSchemas>({
  list: 'GET /api/polls',
  waiting: 'GET /api/polls/waiting',
  vote: 'PUT /api/polls/:id/vote',
  withdraw: 'DELETE /api/polls/:id/vote',
  addOption: 'POST /api/polls/:id/options',
  end: 'POST /api/polls/:id/end',
  voters: 'GET /api/polls/:id/voters',
  missing: 'GET /api/polls/:id/missing',
  file: 'GET /api/polls/:id/votes.csv',
  remind: 'POST /api/polls/:id/reminders',
})
