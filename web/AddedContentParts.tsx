import { type ComponentType, Suspense } from 'react'
import { initialPageData } from '#web/page-data.ts'

// Features such as reactions add parts to posts, replies and messages. The features that render posts,
// replies and messages may not import these later features, so this file finds the parts by their file names.
// The browser loads this file only after it has drawn the posts, replies or messages of the page.

/**
 * The data about a post, a reply to a post, or a chat message that a part added by another feature receives.
 */
export interface PostReplyOrMessageInfo {
  kind: 'post' | 'reply' | 'message'
  id: number
  /** The time when the post, reply or message was written. */
  createdAt: string
  /** The real-time channel of the events about the post, reply or message. */
  channel: string
  /** Whether the current user wrote the message. Absent for posts and replies. */
  isOwn?: boolean
}

export type AddedContentPartComponent = ComponentType<{ content: PostReplyOrMessageInfo }>
type Files = Record<string, { default: AddedContentPartComponent }>

const listPartsOfRunningFeatures = (files: Files) =>
  initialPageData.app.features.flatMap((name) =>
    Object.entries(files).flatMap(([path, file]) =>
      path.startsWith(`../features/${name}/`) ? { name, Part: file.default } : [],
    ),
  )

const footers = listPartsOfRunningFeatures(
  import.meta.glob<{ default: AddedContentPartComponent }>('../features/*/web/*ContentFooter.tsx', {
    eager: true,
  }),
)
const menuItems = listPartsOfRunningFeatures(
  import.meta.glob<{ default: AddedContentPartComponent }>('../features/*/web/*ContentMenuItems.tsx', {
    eager: true,
  }),
)

const lastMenuItems = listPartsOfRunningFeatures(
  import.meta.glob<{ default: AddedContentPartComponent }>('../features/*/web/*ContentLastMenuItems.tsx', {
    eager: true,
  }),
)
const listedPostFooters = listPartsOfRunningFeatures(
  import.meta.glob<{ default: AddedContentPartComponent }>('../features/*/web/*ListedPostFooter.tsx', {
    eager: true,
  }),
)

/**
 * Renders the parts that features add below a post, a reply or a message. They are in the files
 * `…ContentFooter.tsx` in the `web/` folders of the features.
 */
export default function ContentFootersFromFeatures({ content }: { content: PostReplyOrMessageInfo }) {
  return footers.map(({ name, Part }) => <Part key={name} content={content} />)
}

/**
 * Renders the parts that features add below the buttons of a post in a list of posts. They are in the files
 * `…ListedPostFooter.tsx` in the `web/` folders of the features.
 */
export const ListedPostFootersFromFeatures = ({ content }: { content: PostReplyOrMessageInfo }) =>
  listedPostFooters.map(({ name, Part }) => <Part key={name} content={content} />)

interface AddedMenuItemsProps {
  content: PostReplyOrMessageInfo
  /**
   * Whether to render the items for the end of the menu, which few members need, instead of those for its
   * beginning.
   */
  isEnd?: boolean
}

/**
 * Renders the items that features add to the menu of a message: those of the files `…ContentMenuItems.tsx` at
 * the beginning of the menu, or those of `…ContentLastMenuItems.tsx` at its end.
 */
export const MessageMenuItemsFromFeatures = ({ content, isEnd = false }: AddedMenuItemsProps) => (
  <Suspense>
    {(isEnd ? lastMenuItems : menuItems).map(({ name, Part }) => (
      <Part key={name} content={content} />
    ))}
  </Suspense>
)
