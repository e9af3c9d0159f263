declare module '#core/domain-events.ts' {
  interface DomainEvents {
    /**
     * This event says that a text of the member `user_id` mentions the member `mentioned_id`, who may see the
     * text and its author. It is emitted when the text is new, when an edit added the mention, and when a
     * moderator showed the hidden post again. It is not emitted for a member who gets another notification
     * about the text. `source_id` is the id of the post, reply or message.
     */
    // biome-ignore format: the generated table of events reads one line
    'mention.created': { source: 'post' | 'reply' | 'message'; source_id: number; user_id: number; mentioned_id: number }
    /**
     * This event says that a text no longer mentions the member `mentioned_id`, because an edit removed the
     * mention, the text was deleted, or a moderator hid the post.
     */
    // biome-ignore format: the generated table of events reads one line
    'mention.deleted': { source: 'post' | 'reply' | 'message'; source_id: number; user_id: number; mentioned_id: number }
  }
}
