import './profile.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { MessageCircle, UserPen } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useParams } from 'wouter'
import { peopleEndpoints } from '#features/people/contract.ts'
import { FollowButton } from '#features/people/web/FollowButton.tsx'
import { useFollowedIdsQuery } from '#features/people/web/followed-ids.ts'
import { HandleShownForLookalikeName } from '#features/people/web/HandleShownForLookalikeName.tsx'
import { PersonMenu } from '#features/people/web/PersonMenu.tsx'
import { callEndpoint, fetchListPage } from '#web/api.ts'
import { NotFoundPage } from '#web/ErrorPage.tsx'
import { isErrorWithStatus } from '#web/errors.ts'
import { detectLanguageOfUserText, useText } from '#web/i18n.ts'
import { LoadErrorMessage, LogInPromptBox } from '#web/LoadErrorMessage.tsx'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import { linkifyUrlsAndEmails } from '#web/links.tsx'
import { useMe } from '#web/me.ts'
import { findInitialEndpointResponse } from '#web/page-data.ts'
import { MemberSidebarOrVisitorWelcome } from '#web/Sidebar.tsx'
import { useOverridePageTitle } from '#web/title.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { PostListSkeleton } from '#web/ui/LoadingText.tsx'
import { PageLayout } from '#web/ui/PageLayout.tsx'
import { UserText } from '#web/ui/UserText.tsx'
import { hasPageAtPath } from '#web/views.tsx'
import { type ProfileWithPostsCount, postEndpoints } from '../contract.ts'
import { PostList } from './PostList.tsx'
import { loadPosts, replaceAllPostListsWithOne, toAuthorPostsApiPath } from './post-store.ts'
import { profileText } from './profile-text.ts'
import { postsText } from './text.ts'

const PeopleDialog = lazyWithRetry(() => import('#features/people/web/PeopleDialog.tsx'))
const EndNewMemberLimitsButton = lazyWithRetry(
  () => import('#features/account/web/EndNewMemberLimitsButton.tsx'),
)

const useAuthor = (id: number, enabled: boolean) =>
  useQuery({
    queryKey: [postEndpoints.author.path, id],
    queryFn: () => callEndpoint(postEndpoints.author, { id }),
    initialData: () =>
      findInitialEndpointResponse(postEndpoints.author, { id })?.body as ProfileWithPostsCount | undefined,
    retry: (count, error) => count < 2 && !isErrorWithStatus(error, 404) && !isErrorWithStatus(error, 422),
    enabled,
  })

/** Renders the page of one member, with the profile and the posts of the member. */
export default function ProfilePage() {
  const id = Number(useParams<{ id: string }>().id)
  const me = useMe()
  const { data: author, error, isFetching, refetch } = useAuthor(id, me !== null)
  useOverridePageTitle(author?.name ?? null)
  if (!author && (isErrorWithStatus(error, 404) || isErrorWithStatus(error, 422))) return <NotFoundPage />
  const isOwn = me?.id === id
  return (
    <PageLayout sidebar={me && <MemberSidebarOrVisitorWelcome />}>
      <ProfileHeader author={me ? author : undefined} isOwn={isOwn} />
      {me && author && (
        <PostList
          path={toAuthorPostsApiPath(id)}
          ofOneAuthor
          me={me}
          empty={<NoPosts author={author} isOwn={isOwn} />}
        />
      )}
      {me && !author && !error && <PostListSkeleton count={2} />}
      {(!me || isErrorWithStatus(error, 401)) && <LogInPromptBox />}
      {me && !author && error && !isErrorWithStatus(error, 401) && (
        <LoadErrorMessage error={error} pending={isFetching} onRetry={() => refetch()} />
      )}
    </PageLayout>
  )
}

/**
 * Renders the header of a profile. While the profile loads, the header already has a title, so that the focus
 * can stay on the title.
 */
function ProfileHeader({ author, isOwn }: { author: ProfileWithPostsCount | undefined; isOwn: boolean }) {
  const p = useText(profileText)
  return (
    <section className="profile" aria-label={p.profile}>
      <div className="profile-header">
        <Avatar person={author ?? null} size="xl" />
        <div className="actions">
          {author && !isOwn && <ProfileActions author={author} />}
          {isOwn && (
            <ButtonLink icon={UserPen} href="/edit">
              {p.editProfile}
            </ButtonLink>
          )}
        </div>
      </div>
      <h1 tabIndex={-1}>{author ? <UserText>{author.name}</UserText> : p.profile}</h1>
      {author && <HandleShownForLookalikeName person={author} />}
      {author && <ProfileDetails author={author} />}
    </section>
  )
}

function ProfileDetails({ author }: { author: ProfileWithPostsCount }) {
  const { id, bio, posts_count, following_count, followers_count, follows_me } = author
  const p = useText(profileText)
  const [list, setList] = useState<'following' | 'followers' | null>(null)
  return (
    <>
      {bio && (
        <div className="bio prose" dir="auto" lang={detectLanguageOfUserText(bio)}>
          {linkifyUrlsAndEmails(bio)}
        </div>
      )}
      <p className="counts">
        <Count number={posts_count} words={p.countPosts} />
        <button type="button" className="link" onClick={() => setList('following')}>
          <Count number={following_count} words={p.countFollowing} />
        </button>
        <button type="button" className="link" onClick={() => setList('followers')}>
          <Count number={followers_count} words={p.countFollowers} />
        </button>
        {follows_me && <span className="chip">{p.followsYou}</span>}
      </p>
      {list && (
        <Suspense>
          <PeopleDialog
            list={list}
            count={author[`${list}_count`]}
            queryKey={`${peopleEndpoints[list].path} ${id}`}
            fetchPage={(from) => fetchListPage(peopleEndpoints[list], { id }, from)}
            onClose={() => setList(null)}
          />
        </Suspense>
      )}
    </>
  )
}

/**
 * Renders the buttons on the profile of another member: to follow the member, to send a message if the reader
 * follows the member, and a menu to mute, report and block the member. Moderators also get a button that ends
 * the limits for a new member.
 */
function ProfileActions({ author }: { author: ProfileWithPostsCount }) {
  const p = useText(profileText)
  const client = useQueryClient()
  const followings = useFollowedIdsQuery()
  const isFollowing = followings.data?.includes(author.id)
  if (isFollowing === undefined) return null
  const reload = () => client.invalidateQueries({ queryKey: [postEndpoints.author.path, author.id] })
  return (
    <>
      {isFollowing && hasPageAtPath('/privatechat/1') && (
        <ButtonLink icon={MessageCircle} href={`/privatechat/${author.id}`}>
          {p.sendMessage}
        </ButtonLink>
      )}
      {author.is_new && (
        <Suspense>
          <EndNewMemberLimitsButton person={author} onDone={reload} />
        </Suspense>
      )}
      <FollowButton
        person={author}
        isFollowing={isFollowing}
        onDone={() => {
          void reloadPosts(author.id)
          return reload()
        }}
      />
      <PersonMenu person={author} isMuted={author.is_muted === true} />
    </>
  )
}

/**
 * Loads the author's posts again after the reader follows or unfollows the author, because some posts may be
 * for followers only.
 */
async function reloadPosts(author: number) {
  const path = toAuthorPostsApiPath(author)
  await loadPosts(async () => {
    const page = await fetchListPage(postEndpoints.list, {}, path).catch(() => null)
    if (page) replaceAllPostListsWithOne(path, page)
  })
}

function Count({ number, words }: { number: number; words: (n: number) => readonly [string, string] }) {
  const [before, after] = words(number)
  return (
    <span>
      {before}
      <b>{number}</b>
      {after}
    </span>
  )
}

function NoPosts({ author, isOwn }: { author: ProfileWithPostsCount; isOwn: boolean }) {
  const t = useText(postsText)
  const p = useText(profileText)
  return (
    <EmptyState title={isOwn ? p.noPostsOwn : p.noPostsOf(author.name)}>
      <ButtonLink kind={isOwn ? 'primary' : 'secondary'} href={isOwn ? '/post' : '/'}>
        {isOwn ? t.writePost : t.allPosts}
      </ButtonLink>
    </EmptyState>
  )
}
