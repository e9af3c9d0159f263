import type { Poll } from '../contract.ts'

export interface PollProps {
  poll: Poll
  /** What the server answers to a change. */
  onChange: (poll: Poll) => void
  /** The viewer is a member, and the poll has not ended. */
  isOpen: boolean
}
