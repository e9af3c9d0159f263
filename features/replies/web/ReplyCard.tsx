import '#features/posts/web/post.css'
import { Heart, Reply as ReplyIcon } from 'lucide-react'
import { memo, Suspense, useState } from 'react'
import { profilePath } from '#features/people/contract.ts'
import { SharedHandle } from '#features/people/web/SharedHandle.tsx'
import { postChannels } from '#features/posts/contract.ts'
import { AttachedPictures } from '#features/posts/web/AttachedPictures.tsx'
import Files from '#features/posts/web/Files.tsx'
import { LikeCountButton } from '#features/posts/web/LikeCountButton.tsx'
import { fetchPage } from '#web/api.ts'
import { Dot, detectLanguage, useText } from '#web/i18n.ts'
import { LazyLinkedText } from '#web/LazyLinkedText.tsx'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { useMe } from '#web/me.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Icon } from '#web/ui/Icon.tsx'
import { Link } from '#web/ui/Link.tsx'
import { RelativeTime } from '#web/ui/RelativeTime.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { type Reply, replyEndpoints, replyPath } from '../contract.ts'
import { EditForm } from './EditForm.tsx'
import { ReplyLikeButton } from './ReplyLikeButton.tsx'
import { repliesText } from './text.ts'

const ContentFooters = lazyWithRetry(() => import('#web/AddedContentParts.tsx'))
const ReplyMenu = lazyWithRetry(() => import('./ReplyMenu.tsx'))

/** Pixels of all pictures of a reply together. By it, the browser chooses which files to load. */
const PICTURE_WIDTH = 400

interface Props {
  reply: Reply
  onAnswer: (reply: Reply) => void
}

export const ReplyCard = memo(function ReplyCard({ reply, onAnswer }: Props) {
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
              <SharedHandle person={user} />{' '}
              <Link href={replyPath(reply)}>
                <RelativeTime at={reply.created_at} />
              </Link>
              {reply.edited_at && (
                <>
                  <Dot />
                  {t.edited}
                </>
              )}
            </span>
          </span>
          <Suspense fallback={<span className="reply-menu-space" />}>
            <ReplyMenu reply={reply} onEdit={() => setIsEditing(true)} />
          </Suspense>
        </div>
        {isEditing ? (
          <EditForm reply={reply} onClose={() => setIsEditing(false)} />
        ) : (
          <ReplyText reply={reply} isMember={isMember} />
        )}
        {images.length > 0 && <AttachedPictures images={images} isAboveFold={false} width={PICTURE_WIDTH} />}
        {reply.files && <Files files={reply.files} />}
        <div className="reply-footer">
          {isMember ? (
            <>
              <ReplyLikeButton reply={reply} />
              <LikeCountButton
                count={reply.likes_count}
                queryKey={`${replyEndpoints.likers.path} ${reply.id}`}
                fetchPage={(from) => fetchPage(replyEndpoints.likers, { id: reply.id }, from)}
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
            <ContentFooters
              content={{
                ...{ kind: 'reply', id: reply.id, createdAt: reply.created_at },
                channel: postChannels.posts.name,
              }}
            />
          </Suspense>
        </div>
      </div>
    </article>
  )
})

/** A link to the profile for members, plain text for visitors. */
const PersonName = ({ person, isMember }: { person: Reply['user']; isMember: boolean }) =>
  isMember ? (
    <Link className="name" href={profilePath(person)}>
      <UserText>{person.name}</UserText>
    </Link>
  ) : (
    <UserText className="name">{person.name}</UserText>
  )

/** Begins with the name of the author of the answered reply. */
function ReplyText({ reply: { body, mentions }, isMember }: { reply: Reply; isMember: boolean }) {
  if (!body && !mentions) return null
  return (
    <div className="prose" dir="auto" lang={body ? detectLanguage(body) : undefined}>
      {mentions && (
        <>
          <span className="mention">
            @<PersonName person={mentions} isMember={isMember} />
          </span>{' '}
        </>
      )}
      {body && <LazyLinkedText>{body}</LazyLinkedText>}
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
