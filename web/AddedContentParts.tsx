import { type ComponentType, Suspense } from 'react'
import { pageData } from '#web/page-data.ts'

// Features such as reactions add parts to posts, replies and messages, whose features may not import these
// later ones. So this file finds the parts by their file names. The browser loads it only after it has drawn
// the page.

export interface ContentInfo {
  kind: 'post' | 'reply' | 'message'
  id: number
  createdAt: string
  /** The real-time channel of its events. */
  channel: string
  /** Absent for posts and replies. */
  isOwn?: boolean
}

export type ContentPart = ComponentType<{ content: ContentInfo }>
type Files = Record<string, { default: ContentPart }>

const listParts = (files: Files) =>
  pageData.app.features.flatMap((name) =>
    Object.entries(files).flatMap(([path, file]) =>
      path.startsWith(`../features/${name}/`) ? { name, Part: file.default } : [],
    ),
  )

const footers = listParts(
  import.meta.glob<{ default: ContentPart }>('../features/*/web/*ContentFooter.tsx', {
    eager: true,
  }),
)
const menuItems = listParts(
  import.meta.glob<{ default: ContentPart }>('../features/*/web/*ContentMenuItems.tsx', {
    eager: true,
  }),
)
const listedPostFooters = listParts(
  import.meta.glob<{ default: ContentPart }>('../features/*/web/*ListedPostFooter.tsx', {
    eager: true,
  }),
)

/** From the files `…ContentFooter.tsx` of the features. */
export default function ContentFooters({ content }: { content: ContentInfo }) {
  return footers.map(({ name, Part }) => <Part key={name} content={content} />)
}

/** Below the buttons of a post in a list, from the files `…ListedPostFooter.tsx` of the features. */
export const ListedFooters = ({ content }: { content: ContentInfo }) =>
  listedPostFooters.map(({ name, Part }) => <Part key={name} content={content} />)

/** At the top of the menu, from the files `…ContentMenuItems.tsx`. */
export const MessageMenuParts = ({ content }: { content: ContentInfo }) => (
  <Suspense>
    {menuItems.map(({ name, Part }) => (
      <Part key={name} content={content} />
    ))}
  </Suspense>
)
