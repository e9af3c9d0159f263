import type { PostAudience } from './contract.ts'

declare module '#core/domain-events.ts' {
  interface DomainEvents {
    // biome-ignore format: the generated table of events reads one line
    'post.created': { id: number; user_id: number; body: string | null; audience: PostAudience; group_id: number | null }
    /**
     * `by_moderator`: the feature `moderation` deleted the post, and records the deletion with its reason.
     * `with_account`: the account of the author is deleted. Foreign keys then also delete the rows of other
     * features about the account.
     */
    // biome-ignore format: the generated table of events reads one line
    'post.deleted': { id: number; user_id: number; actor_id: number; by_moderator?: true; with_account?: true }
    /** A moderator has hidden the post from all but its author. */
    'post.hidden': { id: number }
    /** A moderator has shown the hidden post again. `is_public`: its audience is everyone. */
    'post.restored': { id: number; is_public: boolean }
    /** The author has changed the text. */
    'post.edited': { id: number; user_id: number }
    /**
     * `group_id` is the group for which the post is pinned; null for the community. `by_owner` is true if the
     * actor acted as the owner of the group, and not as an admin.
     */
    // biome-ignore format: the generated table of events reads one line
    'post.pinned': { id: number; user_id: number; actor_id: number; group_id: number | null; by_owner: boolean }
    // biome-ignore format: the generated table of events reads one line
    'post.unpinned': { id: number; user_id: number; actor_id: number; group_id: number | null; by_owner: boolean }
    /**
     * An admin tells all members of a pinned post, whose audience is everyone or all members. A post has this
     * event at most once. `user_id` is the author, `actor_id` the admin, `created_at` the time.
     */
    'post.announced': { id: number; user_id: number; actor_id: number; created_at: string }
    /** `user_id` is the member who likes the post, `author_id` the author of the post. */
    'post.liked': { id: number; user_id: number; author_id: number }
    /** `with_account`: the account of the member is deleted. */
    'post.unliked': { id: number; user_id: number; with_account?: true }
  }
}
