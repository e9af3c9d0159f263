import type { PostAudience } from './contract.ts'

declare module '#core/domain-events.ts' {
  interface DomainEvents {
    // biome-ignore format: the generated table of events reads one line
    'post.created': { id: number; user_id: number; body: string | null; audience: PostAudience; group_id: number | null }
    /**
     * `by_moderator` is true if the feature `moderation` deleted the post; that feature records the deletion
     * with its reason. `with_account` is true if the post is deleted together with the account of its author;
     * foreign keys then also delete the rows of other features about the account.
     */
    // biome-ignore format: the generated table of events reads one line
    'post.deleted': { id: number; user_id: number; actor_id: number; by_moderator?: true; with_account?: true }
    /** This event says that a moderator has hidden the post from all people but its author. */
    'post.hidden': { id: number }
    /**
     * This event says that a moderator has shown the hidden post again. `is_public` is true if the
     * audience of the post is `everyone`.
     */
    'post.restored': { id: number; is_public: boolean }
    /** This event says that the author has changed the text of the post. */
    'post.edited': { id: number; user_id: number }
    /**
     * `group_id` is the id of the group for which the post is pinned; null if it is pinned for the community.
     * `by_owner` is true if the member `actor_id` acted as the owner of the group, and not as an admin.
     */
    // biome-ignore format: the generated table of events reads one line
    'post.pinned': { id: number; user_id: number; actor_id: number; group_id: number | null; by_owner: boolean }
    // biome-ignore format: the generated table of events reads one line
    'post.unpinned': { id: number; user_id: number; actor_id: number; group_id: number | null; by_owner: boolean }
    /**
     * This event says that an admin tells all members of a pinned post, whose audience is everyone or all
     * members. It is emitted at most once for a post. `user_id` is the author of the post, and `actor_id` the
     * admin.
     */
    'post.announced': { id: number; user_id: number; actor_id: number; created_at: string }
    /** `user_id` is the id of the member who likes the post, and `author_id` the id of the post's author. */
    'post.liked': { id: number; user_id: number; author_id: number }
    /**
     * `with_account` is true if the like is removed because the account of the member `user_id` is deleted.
     */
    'post.unliked': { id: number; user_id: number; with_account?: true }
  }
}
