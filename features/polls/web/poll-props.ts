import type { ContentInfo } from '#web/AddedContentParts.tsx'
import type { Poll } from '../contract.ts'

export interface PollProps {
  poll: Poll
  /** What the server answers to a change. */
  onChange: (poll: Poll) => void
  /** The viewer is a member, and the poll has not ended. */
  isOpen: boolean
}

/** `content`: the post or message that asks. */
export interface PollOfContent extends PollProps {
  content: ContentInfo
}
