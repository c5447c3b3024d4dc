// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/utils/ptr"
)

// Resources outside of namespaces that tests make; what Kubernetes itself made of them stays.
var clusterWide = []schema.GroupResource{
	{Group: "admissionregistration.k8s.io", Resource: "mutatingwebhookconfigurations"},
	{Group: "admissionregistration.k8s.io", Resource: "validatingwebhookconfigurations"},
	{Group: "admissionregistration.k8s.io", Resource: "validatingadmissionpolicies"},
	{Group: "admissionregistration.k8s.io", Resource: "validatingadmissionpolicybindings"},
	{Group: "apiextensions.k8s.io", Resource: "customresourcedefinitions"},
	{Group: "node.k8s.io", Resource: "runtimeclasses"},
	{Group: "rbac.authorization.k8s.io", Resource: "clusterroles"},
	{Group: "rbac.authorization.k8s.io", Resource: "clusterrolebindings"},
	{Group: "resource.k8s.io", Resource: "deviceclasses"},
	{Group: "resource.k8s.io", Resource: "devicetaintrules"},
	{Group: "resource.k8s.io", Resource: "resourceslices"},
	{Group: "scheduling.k8s.io", Resource: "priorityclasses"},
	{Group: "storage.k8s.io", Resource: "csidrivers"},
	{Group: "storage.k8s.io", Resource: "storageclasses"},
	{Group: "", Resource: "persistentvolumes"},
}

// resetter brings a cluster back to the fleet alone: the objects of tests go, the nodes are as new.
type resetter struct {
	fleet    fleet
	client   kubernetes.Interface
	objects  dynamic.Interface
	resource map[schema.GroupResource]metav1.APIResource
}

func newResetCommand() *cobra.Command {
	r := &resetter{resource: map[schema.GroupResource]metav1.APIResource{}}
	var kubeconfig string
	var timeout time.Duration
	command := &cobra.Command{
		Use:          "reset",
		Short:        "delete what tests made and restore the nodes",
		SilenceUsage: true,
		RunE: func(*cobra.Command, []string) error {
			config, client, err := connect(kubeconfig)
			if err != nil {
				return err
			}
			r.client = client
			if r.objects, err = dynamic.NewForConfig(config); err != nil {
				return err
			}
			ctx, cancel := context.WithTimeout(context.Background(), timeout)
			defer cancel()
			return r.run(ctx)
		},
	}
	command.Flags().StringVar(&kubeconfig, "kubeconfig", "", "whom to ask, and as whom")
	command.Flags().IntVar(&r.fleet.count, "count", 64, "number of nodes")
	command.Flags().DurationVar(&timeout, "timeout", time.Minute, "when to give up")
	return command
}

func (r *resetter) run(ctx context.Context) error {
	if err := r.discover(); err != nil {
		return fmt.Errorf("discovery: %w", err)
	}
	// Webhooks first: they might refuse the rest.
	for _, kind := range clusterWide {
		if err := r.deleteAll(ctx, kind, ""); err != nil {
			return err
		}
	}
	namespaces, err := r.client.CoreV1().Namespaces().List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	for _, namespace := range namespaces.Items {
		if err := r.emptyNamespace(ctx, namespace.Name); err != nil {
			return fmt.Errorf("namespace %s: %w", namespace.Name, err)
		}
	}
	if err := inParallel(r.fleet.count, func(i int) error { return r.restoreNode(ctx, i) }); err != nil {
		return fmt.Errorf("restoring nodes: %w", err)
	}
	return r.await(ctx)
}

// discover which resources the server has; an API whose own server is gone has none.
func (r *resetter) discover() error {
	lists, err := r.client.Discovery().ServerPreferredResources()
	if err != nil && !discovery.IsGroupDiscoveryFailedError(err) {
		return err
	}
	for _, list := range lists {
		group, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			return err
		}
		for _, resource := range list.APIResources {
			resource.Group, resource.Version = group.Group, group.Version
			r.resource[schema.GroupResource{Group: group.Group, Resource: resource.Name}] = resource
		}
	}
	return nil
}

func ofKubernetes(object *unstructured.Unstructured) bool {
	_, bootstrap := object.GetLabels()["kubernetes.io/bootstrapping"]
	name := object.GetName()
	switch object.GetKind() {
	case "ConfigMap":
		return bootstrap || name == "kube-root-ca.crt"
	case "ServiceAccount":
		return name == "default"
	case "Service", "Endpoints", "EndpointSlice":
		return name == "kubernetes"
	}
	return bootstrap || strings.HasPrefix(name, "system:") || strings.HasPrefix(name, "system-")
}

// deleteAll objects of a kind, at once and without waiting for those who hold finalizers on them.
func (r *resetter) deleteAll(ctx context.Context, kind schema.GroupResource, namespace string) error {
	found, ok := r.resource[kind]
	if !ok {
		return nil
	}
	objects := r.objects.Resource(schema.GroupVersionResource{Group: found.Group, Version: found.Version, Resource: found.Name})
	in := func(namespace string) dynamic.ResourceInterface {
		if found.Namespaced {
			return objects.Namespace(namespace)
		}
		return objects
	}
	list, err := in(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("%s: %w", kind, err)
	}
	return inParallel(len(list.Items), func(i int) error {
		object := &list.Items[i]
		if ofKubernetes(object) {
			return nil
		}
		err := in(object.GetNamespace()).Delete(ctx, object.GetName(), metav1.DeleteOptions{
			GracePeriodSeconds: ptr.To(int64(0)),
			PropagationPolicy:  ptr.To(metav1.DeletePropagationBackground),
		})
		if err == nil && len(object.GetFinalizers()) > 0 {
			_, err = in(object.GetNamespace()).Patch(ctx, object.GetName(), types.MergePatchType,
				[]byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{})
		}
		if apierrors.IsNotFound(err) {
			return nil
		}
		return err
	})
}

func builtIn(namespace string) bool {
	return slices.Contains([]string{metav1.NamespaceDefault, metav1.NamespaceSystem, metav1.NamespacePublic, corev1.NamespaceNodeLease}, namespace)
}

// emptyNamespace, and delete it if it is a test's. What makes pods goes before the pods.
func (r *resetter) emptyNamespace(ctx context.Context, namespace string) error {
	if namespace == corev1.NamespaceNodeLease || namespace == metav1.NamespaceSystem || namespace == metav1.NamespacePublic {
		return nil
	}
	pods := schema.GroupResource{Resource: "pods"}
	for kind, resource := range r.resource {
		if !resource.Namespaced || kind == pods || !slices.Contains(resource.Verbs, "list") || !slices.Contains(resource.Verbs, "delete") {
			continue
		}
		if !builtIn(namespace) && kind.Group == "events.k8s.io" {
			continue // go with the namespace
		}
		if err := r.deleteAll(ctx, kind, namespace); err != nil {
			return err
		}
	}
	if err := r.deleteAll(ctx, pods, namespace); err != nil {
		return err
	}
	if builtIn(namespace) {
		return nil
	}
	err := r.client.CoreV1().Namespaces().Delete(ctx, namespace, metav1.DeleteOptions{})
	if apierrors.IsNotFound(err) || apierrors.IsConflict(err) { // gone or going
		return nil
	}
	return err
}

// restoreNode to what it was when it registered.
func (r *resetter) restoreNode(ctx context.Context, i int) error {
	want := r.fleet.node(i)
	nodes := r.client.CoreV1().Nodes()
	have, err := nodes.Get(ctx, want.Name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		_, err = nodes.Create(ctx, want, metav1.CreateOptions{})
		return err
	}
	if err != nil {
		return err
	}
	labels, annotations := map[string]any{}, map[string]any{}
	for key := range have.Labels {
		labels[key] = nil
	}
	for key, value := range want.Labels {
		labels[key] = value
	}
	for key := range have.Annotations {
		if key != "node.alpha.kubernetes.io/ttl" { // the controller manager's own
			annotations[key] = nil
		}
	}
	if len(annotations) == 0 && len(have.Spec.Taints) == 0 && !have.Spec.Unschedulable &&
		equality.Semantic.DeepEqual(want.Labels, have.Labels) {
		return nil
	}
	patch, err := json.Marshal(map[string]any{
		"metadata": map[string]any{"labels": labels, "annotations": annotations},
		"spec":     map[string]any{"taints": nil, "unschedulable": nil},
	})
	if err != nil {
		return err
	}
	_, err = nodes.Patch(ctx, want.Name, types.MergePatchType, patch, metav1.PatchOptions{})
	return err
}

// await until namespaces and pods are gone and every node is ready, whole and open.
func (r *resetter) await(ctx context.Context) error {
	var left []string
	err := wait.PollUntilContextCancel(ctx, 200*time.Millisecond, true, func(ctx context.Context) (bool, error) {
		left = left[:0]
		namespaces, err := r.client.CoreV1().Namespaces().List(ctx, metav1.ListOptions{})
		if err != nil {
			return false, nil
		}
		for _, namespace := range namespaces.Items {
			if !builtIn(namespace.Name) {
				left = append(left, "namespace "+namespace.Name)
			}
		}
		pods, err := r.client.CoreV1().Pods(metav1.NamespaceDefault).List(ctx, metav1.ListOptions{Limit: 1})
		if err != nil {
			return false, nil
		}
		for _, pod := range pods.Items {
			left = append(left, "pod "+pod.Name)
		}
		nodes, err := r.client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
		if err != nil {
			return false, nil
		}
		for i := range nodes.Items {
			node := &nodes.Items[i]
			if !r.fleet.has(node.Name) || len(node.Spec.Taints) > 0 ||
				!sameConditions(nodeConditions("", nil, metav1.Now()), node.Status.Conditions) ||
				!equality.Semantic.DeepEqual(node.Status.Allocatable, node.Status.Capacity) {
				left = append(left, "node "+node.Name)
				if err := r.tidyNode(ctx, node); err != nil {
					left = append(left, err.Error())
				}
			}
		}
		return len(left) == 0, nil
	})
	if err != nil {
		return fmt.Errorf("not reset: %s", strings.Join(left, ", "))
	}
	return nil
}

// tidyNode once more: a stranger's node goes, and taints that the controller manager set meanwhile.
func (r *resetter) tidyNode(ctx context.Context, node *corev1.Node) error {
	nodes := r.client.CoreV1().Nodes()
	if !r.fleet.has(node.Name) {
		return nodes.Delete(ctx, node.Name, metav1.DeleteOptions{})
	}
	if len(node.Spec.Taints) == 0 {
		return nil
	}
	_, err := nodes.Patch(ctx, node.Name, types.MergePatchType, []byte(`{"spec":{"taints":null}}`), metav1.PatchOptions{})
	return err
}
