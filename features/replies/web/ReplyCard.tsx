import { Heart, Reply as ReplyIcon } from 'lucide-react'
import { memo, Suspense, useState } from 'react'
import { toProfilePath } from '#features/people/contract.ts'
import { HandleShownForLookalikeName } from '#features/people/web/HandleShownForLookalikeName.tsx'
import { postChannelDefinitions } from '#features/posts/contract.ts'
import { AttachedPictures } from '#features/posts/web/AttachedPictures.tsx'
import { LikeCountButton } from '#features/posts/web/LikeCountButton.tsx'
import { fetchListPage } from '#web/api.ts'
import { detectLanguageOfUserText, useText } from '#web/i18n.ts'
import { LazyTextWithLinksMentionsAndTags } from '#web/LazyTextWithLinksMentionsAndTags.tsx'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { useMe } from '#web/me.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Link } from '#web/ui/Link.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { type Reply, replyEndpoints, toReplyPagePath } from '../contract.ts'
import { ReplyEditForm } from './ReplyEditForm.tsx'
import { ReplyLikeButton } from './ReplyLikeButton.tsx'
import { repliesText } from './text.ts'

const ContentFootersFromFeatures = lazyWithRetry(() => import('#web/AddedContentParts.tsx'))
const ReplyMenu = lazyWithRetry(() => import('./ReplyMenu.tsx'))

/**
 * The width in pixels that all pictures of a reply have together. The browser uses it to choose which files
 * to load.
 */
const PICTURE_WIDTH = 400

interface ReplyCardProps {
  reply: Reply
  /** Called when the reader presses the button that answers the reply. */
  onAnswer: (reply: Reply) => void
}

export const ReplyCard = memo(function ReplyCard({ reply, onAnswer }: ReplyCardProps) {
  const t = useText(repliesText)
  const isMember = useMe() !== null
  const [isEditing, setIsEditing] = useState(false)
  const { user, images } = reply
  return (
    <article className="reply card" data-reply={reply.id} tabIndex={-1} aria-label={t.replyBy(user.name)}>
      <Avatar person={user} size="s" />
      <div className="reply-main">
        <div className="reply-header">
          <span className="reply-author">
            <PersonName person={user} isMember={isMember} />{' '}
            <span className="text-meta">
              <HandleShownForLookalikeName person={user} />{' '}
              <Link href={toReplyPagePath(reply)}>
                <RelativeTime at={reply.created_at} />
              </Link>
              {reply.edited_at && ` · ${t.edited}`}
            </span>
          </span>
          <Suspense fallback={<span className="reply-menu-space" />}>
            <ReplyMenu reply={reply} onEdit={() => setIsEditing(true)} />
          </Suspense>
        </div>
        {isEditing ? (
          <ReplyEditForm reply={reply} onClose={() => setIsEditing(false)} />
        ) : (
          <ReplyText reply={reply} isMember={isMember} />
        )}
        {images.length > 0 && <AttachedPictures images={images} isAboveFold={false} width={PICTURE_WIDTH} />}
        <div className="reply-footer">
          {isMember ? (
            <>
              <ReplyLikeButton reply={reply} />
              <LikeCountButton
                count={reply.likes_count}
                queryKey={`${replyEndpoints.likers.path} ${reply.id}`}
                fetchPage={(from) => fetchListPage(replyEndpoints.likers, { id: reply.id }, from)}
              />
            </>
          ) : (
            <LikeCount count={reply.likes_count} />
          )}
          {isMember && (
            <Button
              kind="ghost"
              small
              className="answer"
              icon={ReplyIcon}
              label={t.answerTo(user.name)}
              onClick={() => onAnswer(reply)}
            >
              {t.answer}
            </Button>
          )}
          <Suspense>
            <ContentFootersFromFeatures
              content={{
                ...{ kind: 'reply', id: reply.id, createdAt: reply.created_at },
                channel: postChannelDefinitions.posts.name,
              }}
            />
          </Suspense>
        </div>
      </div>
    </article>
  )
})

/**
 * Renders the name of a person: for members as a link to the person's profile, for visitors as plain text.
 */
const PersonName = ({ person, isMember }: { person: Reply['user']; isMember: boolean }) =>
  isMember ? (
    <Link className="name" href={toProfilePath(person)}>
      <UserText>{person.name}</UserText>
    </Link>
  ) : (
    <UserText className="name">{person.name}</UserText>
  )

/**
 * Renders the text of a reply. If the reply answers another reply, the name of that reply's author comes
 * before the text.
 */
function ReplyText({ reply: { body, mentions }, isMember }: { reply: Reply; isMember: boolean }) {
  if (!body && !mentions) return null
  return (
    <div className="prose" dir="auto" lang={body ? detectLanguageOfUserText(body) : undefined}>
      {mentions && (
        <>
          <span className="mention">
            @<PersonName person={mentions} isMember={isMember} />
          </span>{' '}
        </>
      )}
      {body && <LazyTextWithLinksMentionsAndTags>{body}</LazyTextWithLinksMentionsAndTags>}
    </div>
  )
}

const LikeCount = ({ count }: { count: number }) =>
  count > 0 && (
    <span className="likes">
      <Icon icon={Heart} />
      {count}
    </span>
  )
