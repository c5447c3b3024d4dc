// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/cache"
	"k8s.io/utils/ptr"
)

// syncPod takes a pod that is bound to one of our nodes one step further in its life.
func (k *kubelets) syncPod(ctx context.Context, key string) error {
	namespace, name, err := cache.SplitMetaNamespaceKey(key)
	if err != nil {
		return nil
	}
	pod, err := k.pods.Pods(namespace).Get(name)
	if err != nil || !k.fleet.has(pod.Spec.NodeName) {
		return nil
	}
	node, err := k.nodes.Get(pod.Spec.NodeName)
	if err != nil || isSilent(node) {
		return nil
	}
	switch {
	case pod.DeletionTimestamp != nil:
		return k.endPod(ctx, pod)
	case pod.Status.Phase == corev1.PodPending:
		return k.startPod(ctx, pod, node)
	case pod.Status.Phase == corev1.PodRunning:
		return k.finishPod(ctx, key, pod)
	}
	return nil
}

// endPod removes a pod that was deleted, with no time to say goodbye.
func (k *kubelets) endPod(ctx context.Context, pod *corev1.Pod) error {
	if pod.Annotations[podHang] != "" || ptr.Deref(pod.DeletionGracePeriodSeconds, 1) == 0 {
		return nil
	}
	// A Job counts its pods by their last phase before it lets them go.
	if len(pod.Finalizers) > 0 && pod.Status.Phase == corev1.PodRunning {
		if err := k.patchStatus(ctx, pod, ended(pod, 143)); err != nil {
			return err
		}
	}
	return k.client.CoreV1().Pods(pod.Namespace).Delete(ctx, pod.Name, metav1.DeleteOptions{
		GracePeriodSeconds: ptr.To(int64(0)),
		Preconditions:      &metav1.Preconditions{UID: &pod.UID},
	})
}

func (k *kubelets) startPod(ctx context.Context, pod *corev1.Pod, node *corev1.Node) error {
	reason := pod.Annotations[podWaiting]
	if reason == "" {
		return k.patchStatus(ctx, pod, running(pod, node))
	}
	if len(pod.Status.ContainerStatuses) > 0 {
		return nil
	}
	return k.patchStatus(ctx, pod, waiting(pod, reason))
}

// finishPod when its time is over.
func (k *kubelets) finishPod(ctx context.Context, key string, pod *corev1.Pod) error {
	seconds, err := strconv.ParseFloat(pod.Annotations[podRunSeconds], 64)
	if err != nil || pod.Status.StartTime == nil {
		return nil
	}
	left := time.Until(pod.Status.StartTime.Add(time.Duration(seconds * float64(time.Second))))
	if left > 0 {
		k.podKeys.AddAfter(key, left)
		return nil
	}
	code, _ := strconv.Atoi(pod.Annotations[podExitCode])
	return k.patchStatus(ctx, pod, ended(pod, int32(code)))
}

func (k *kubelets) patchStatus(ctx context.Context, pod *corev1.Pod, status corev1.PodStatus) error {
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"uid": pod.UID}, "status": status})
	if err != nil {
		return err
	}
	_, err = k.client.CoreV1().Pods(pod.Namespace).Patch(ctx, pod.Name, types.StrategicMergePatchType, patch, metav1.PatchOptions{}, "status")
	return err
}

func condition(kind corev1.PodConditionType, status corev1.ConditionStatus, reason string) corev1.PodCondition {
	return corev1.PodCondition{Type: kind, Status: status, Reason: reason, LastTransitionTime: metav1.Now()}
}

// containers in the given state, one status for each.
func containers(pod *corev1.Pod, list []corev1.Container, ready bool, state corev1.ContainerState) []corev1.ContainerStatus {
	statuses := make([]corev1.ContainerStatus, 0, len(list))
	for _, c := range list {
		status := corev1.ContainerStatus{Name: c.Name, Image: c.Image, State: state, Ready: ready, Started: &ready}
		if state.Waiting == nil {
			status.ImageID = c.Image
			status.ContainerID = fmt.Sprintf("paper://%s/%s", pod.UID, c.Name)
		}
		statuses = append(statuses, status)
	}
	return statuses
}

func running(pod *corev1.Pod, node *corev1.Node) corev1.PodStatus {
	now := metav1.Now()
	ip := addressOf(pod)
	status := corev1.PodStatus{
		Phase: corev1.PodRunning, StartTime: &now, PodIP: ip, PodIPs: []corev1.PodIP{{IP: ip}},
		Conditions: []corev1.PodCondition{
			condition(corev1.PodReadyToStartContainers, corev1.ConditionTrue, ""),
			condition(corev1.PodInitialized, corev1.ConditionTrue, ""),
			condition(corev1.ContainersReady, corev1.ConditionTrue, ""),
			condition(corev1.PodReady, corev1.ConditionTrue, ""),
		},
		ContainerStatuses: containers(pod, pod.Spec.Containers, true,
			corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: now}}),
	}
	status.ContainerStatuses[0].AllocatedResourcesStatus = devices(pod)
	for _, address := range node.Status.Addresses {
		if address.Type == corev1.NodeInternalIP {
			status.HostIP, status.HostIPs = address.Address, []corev1.HostIP{{IP: address.Address}}
		}
	}
	if len(pod.Spec.InitContainers) > 0 {
		status.InitContainerStatuses = containers(pod, pod.Spec.InitContainers, true,
			corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{Reason: "Completed", StartedAt: now, FinishedAt: now}})
	}
	return status
}

// devices that the first container got, and their health: "GPU-a=Healthy,GPU-b=Unhealthy".
func devices(pod *corev1.Pod) []corev1.ResourceStatus {
	text := pod.Annotations[podDevices]
	if text == "" {
		return nil
	}
	status := corev1.ResourceStatus{Name: gpuResource}
	for _, device := range strings.Split(text, ",") {
		id, health, _ := strings.Cut(device, "=")
		status.Resources = append(status.Resources, corev1.ResourceHealth{
			ResourceID: corev1.ResourceID(id), Health: corev1.ResourceHealthStatus(health),
		})
	}
	return []corev1.ResourceStatus{status}
}

func waiting(pod *corev1.Pod, reason string) corev1.PodStatus {
	now := metav1.Now()
	return corev1.PodStatus{
		Phase: corev1.PodPending, StartTime: &now,
		Conditions: []corev1.PodCondition{
			condition(corev1.PodInitialized, corev1.ConditionTrue, ""),
			condition(corev1.ContainersReady, corev1.ConditionFalse, "ContainersNotReady"),
			condition(corev1.PodReady, corev1.ConditionFalse, "ContainersNotReady"),
		},
		ContainerStatuses: containers(pod, pod.Spec.Containers, false,
			corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: reason}}),
	}
}

func ended(pod *corev1.Pod, code int32) corev1.PodStatus {
	phase, reason, why := corev1.PodSucceeded, "Completed", "PodCompleted"
	if code != 0 {
		phase, reason, why = corev1.PodFailed, "Error", "PodFailed"
	}
	last := &corev1.ContainerStateTerminated{ExitCode: code, Reason: reason, FinishedAt: metav1.Now()}
	if pod.Status.StartTime != nil {
		last.StartedAt = *pod.Status.StartTime
	}
	return corev1.PodStatus{
		Phase: phase,
		Conditions: []corev1.PodCondition{
			condition(corev1.PodReadyToStartContainers, corev1.ConditionFalse, ""),
			condition(corev1.ContainersReady, corev1.ConditionFalse, why),
			condition(corev1.PodReady, corev1.ConditionFalse, why),
		},
		ContainerStatuses: containers(pod, pod.Spec.Containers, false, corev1.ContainerState{Terminated: last}),
	}
}

// addressOf a pod: made up from its uid, so that it stays the same.
func addressOf(pod *corev1.Pod) string {
	hash := fnv.New32a()
	hash.Write([]byte(pod.UID))
	sum := hash.Sum32()
	return fmt.Sprintf("10.%d.%d.%d", 128+sum>>16%64, sum>>8%256, 1+sum%254)
}
